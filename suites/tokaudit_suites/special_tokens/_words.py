"""Meanings of words in a setting's name or in a token.

A meaning is one word for many spellings: `begin`, `start` and the `bo` of `boi` are all `start`.
Meanings of one group exclude each other: what starts something does not end it.  So do two fields:
a token that starts a picture does not start a tool call.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

Meanings = frozenset[str]

MEDIA = frozenset({"image", "video", "audio", "vision", "media"})
PLACE = frozenset({"start", "end", "break", "placeholder"})
GROUPS = (
    frozenset({"image", "video", "audio"}),
    PLACE,
    frozenset({"prefix", "suffix", "middle"}),
    frozenset({"user", "assistant", "system"}),
    frozenset({"call", "response"}),
    frozenset({"pad", "unk", "mask", "cls", "sep"}),
)
FIELDS = (MEDIA, frozenset({"think"}), frozenset({"tool"}), frozenset({"fim"}))
SPELLED = {
    "image": "image img picture boi eoi",
    "video": "video vid bov eov",
    "audio": "audio aud speech sound boa eoa",
    "vision": "vision",
    "media": "media",
    "start": "start begin open boi bov boa",
    "end": "end close eoi eov eoa",
    "break": "break newline",
    "placeholder": "placeholder patch soft context",
    "prefix": "prefix pre",
    "suffix": "suffix suf",
    "middle": "middle mid hole",
    "fim": "fim",
    "think": "think thinking thought reasoning",
    "tool": "tool tools function",
    "call": "call calls",
    "response": "response responses result results",
    "turn": "turn",
    "user": "user human",
    "assistant": "assistant",
    "system": "system",
    "pad": "pad padding",
    "unk": "unk unknown",
    "mask": "mask",
    "cls": "cls",
    "sep": "sep",
}
MEANINGS = {
    word: {meaning for meaning, words in SPELLED.items() if word in words.split()}
    for word in {word for words in SPELLED.values() for word in words.split()}
}
ENDS = (
    "eos_token",
    "eos_token_id",
)  # a beginning that is also the end is usual, and not the reverse
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def of_key(key: str) -> Meanings:
    """Return the meanings that a setting's name requires of its token.

    >>> sorted(of_key("video_start_token_id")), sorted(of_key("eoi_token_index"))
    (['start', 'video'], ['end', 'image'])
    >>> sorted(of_key("image_token_id")), sorted(of_key("decoder_start_token_id"))
    (['image', 'placeholder'], [])
    """
    if key in ENDS:
        return frozenset({"end"})
    words = _words(key)
    if "decoder" in words or "suppress" in words:  # where decoding starts is no kind of token
        return frozenset()
    return _completed(words, key)


def of_token(content: str, all_contents: Collection[str]) -> Meanings:
    """Return a token's meanings by its spelling; `<x>` starts what `</x>` ends.

    >>> sorted(of_token("<|image_pad|>", ())), sorted(of_token("<think>", {"</think>"}))
    (['image', 'placeholder'], ['start', 'think'])
    >>> sorted(of_token("<|im_start|>", ())), sorted(of_token("<|audio_eos|>", ()))
    (['start'], ['audio', 'end'])
    """
    words = _words(content)
    if content.startswith(("</", "[/")):
        words = [*words, "end"]
    elif f"{content[:1]}/{content[1:]}" in all_contents:
        words = [*words, "start"]
    return _completed(words, content)


def spelled(content: str) -> str:
    """Return the words of a token in the style of setting names.

    >>> spelled("<|vision_start|>")
    'vision_start'
    """
    return "_".join(_words(content))


def _words(text: str) -> list[str]:
    return [word.lower() for word in WORD.findall(text)]


def _completed(words: Iterable[str], text: str) -> Meanings:
    """Return the meanings of words; next to a medium, `pad` means a placeholder."""
    found = {meaning for word in words for meaning in MEANINGS.get(word, ())}
    if found & MEDIA:
        lower = text.lower()
        found |= {"start"} if "bos" in lower else set()
        found |= {"end"} if "eos" in lower else set()
        found -= {"pad"}
        found |= set() if found & PLACE else {"placeholder"}
    return frozenset(found)


def contradict(asked: Meanings, named: Meanings) -> bool:
    """Return whether two meanings exclude each other.

    >>> contradict(of_key("fim_prefix_token"), of_token("<|fim_suffix|>", ()))
    True
    >>> contradict(of_key("vision_start_token_id"), of_token("<|tool_call|>", ()))
    True
    """
    one_group = any(asked & g and named & g and not asked & named & g for g in GROUPS)
    return one_group or _two_fields(asked, named)


def _two_fields(asked: Meanings, named: Meanings) -> bool:
    """Return whether both belong to fields, such as media or tools, and share none."""
    mine, theirs = (sum(bool(m & f) << n for n, f in enumerate(FIELDS)) for m in (asked, named))
    return bool(mine and theirs and not mine & theirs)


def lacks_the_field(asked: Meanings, named: Meanings) -> bool:
    """Return whether a token of known use is in none of the fields that a setting requires.

    What features take the place of may be any token, as Llama 4's `<|patch|>` is for images.

    >>> lacks_the_field(of_key("vision_start_token_id"), of_token("<|im_start|>", ()))
    True
    """
    taken = not named or "placeholder" in asked
    return not taken and any(asked & field and not named & field for field in FIELDS)
