"""Where the Unicode tables of Hugging Face's tokenizers are not those of this Python.

The library normalizes and splits with tables of its own, of several Unicode versions; where it
strips a mark, cleans a character or isolates punctuation and Python's tables would not, or the
other way round, two correct encoders differ.  All of it is found by asking the library.
"""

from __future__ import annotations

from typing import Any
from unicodedata import category, normalize

OTHER = ("Cc", "Cf", "Co", "Cs")  # what BERT's cleaning removes


def differences(unassigned: bool) -> list[int]:
    """The code points, those that this Python does not know yet only if asked for."""
    left_out = ("Cs",) if unassigned else ("Cn", "Cs")
    every = [c for c in map(chr, range(0x80, 0x110000)) if category(c) not in left_out]
    found = _other_marks(every) | _other_controls(every) | _other_forms(every)
    return sorted(found | _other_punctuation(every) | _other_classes(every))


def _bert(**on: bool) -> Any:
    """BERT's normalizer with only the named steps on."""
    from tokenizers.normalizers import BertNormalizer

    steps = ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase")
    return BertNormalizer(**{step: on.get(step, False) for step in steps})


def _other_marks(every: list[str]) -> set[int]:
    """Both ways of stripping accents have tables of their own; BERT's leaves spacing marks."""
    from tokenizers.normalizers import StripAccents

    whole = [c for c in every if normalize("NFD", c) == c]
    found: set[int] = set()
    for strip, marks in (
        (StripAccents(), ("Mn", "Mc", "Me")),
        (_bert(strip_accents=True), ("Mn",)),
    ):
        kept = set(strip.normalize_str("".join(whole)))
        found |= {ord(c) for c in whole if (c in kept) == (category(c) in marks)}
    return found


def _other_controls(every: list[str]) -> set[int]:
    visible = [c for c in every if not c.isspace()]
    kept = set(_bert(clean_text=True).normalize_str("".join(visible)))
    return {ord(c) for c in visible if (c in kept) == (category(c) in OTHER)}


def _other_forms(every: list[str]) -> set[int]:
    """Where a normal form or lower case of one character is another text than Python's."""
    from tokenizers import normalizers

    found: set[int] = set()
    form: Any
    for form in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase"):
        library = getattr(normalizers, form)().normalize_str("\0".join(every)).split("\0")
        for character, theirs in zip(every, library, strict=True):
            ours = character.lower() if form == "Lowercase" else normalize(form, character)
            if theirs != ours:
                found.add(ord(character))
    return found


def _other_classes(every: list[str]) -> set[int]:
    """Where a class that split patterns use holds a character here and not there."""
    import regex
    from tokenizers import Regex
    from tokenizers.normalizers import Replace

    text, found = "".join(every), set()
    for name in ("L", "Lu", "Ll", "N", "M", "P", "S"):
        theirs = set(Replace(Regex(rf"\P{{{name}}}"), "").normalize_str(text))
        ours = set(regex.findall(rf"\p{{{name}}}", text))
        found |= set(map(ord, theirs ^ ours))
    return found


def _other_punctuation(every: list[str]) -> set[int]:
    from tokenizers.pre_tokenizers import Punctuation

    joined = "a".join(every)
    isolated = {text for text, _ in Punctuation().pre_tokenize_str(joined) if len(text) == 1}
    return {ord(c) for c in every if (c in isolated) != (category(c)[0] == "P")}
