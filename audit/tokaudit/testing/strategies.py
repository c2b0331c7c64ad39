"""Draws what tokenizers and chat templates break on: texts, lists of ids, conversations.

A text is a few parts in a row.  Half of them are about no tokenizer in particular (see
`fragile`), the others are this one's own: its added tokens, whole, cut and side by side, and the
places where two of its entries meet.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tokaudit.engine.vocabularies.piece_texts import own_texts, piece_text
from tokaudit_reference.spec import TokenizerSpec

# What a step of a pipeline treats by itself, kind by kind: a normalizer changes it, a pre-tokenizer
# cuts at it, a model has no token for it, a decoder strips it.
WHITE_SPACE = (
    " ",
    "  ",
    "\t",
    "\u00a0",
    "\u2003",
    "\u2009",
    "\u202f",
    "\u3000",
    "\u1680",
    "\u2581",
)
LINE_ENDS = ("\n", "\r\n", "\r", "\n\n", "\n\n\n", " \n", "\n ", "\x0b", "\x0c", "\x85", "\u2028")
CONTROLS = ("\x00", "\x01", "\x1b", "\x7f", "\u200b", "\u200e", "\u202e", "\ufeff", "\ufffd")
# A mark without its letter, too many of them, and pairs that only their normal form makes equal.
MARKS = ("\u0301", "e\u0301", "\u00e9", "a\u0323\u0302", "a\u0302\u0323", "o\u0308\u0304\u0301")
FORMS = ("\u212b", "\u00c5", "\ufb01", "fi", "\uff21", "\u1e9b\u0323", "\u0130", "\u00df", "\uac00")
EMOJI = (
    "\U0001f600",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\U0001f44d\U0001f3fd",
    "\u2764\ufe0f",
    "\u2764",
    "\U0001f1e9\U0001f1ea",
    "\u200d",
)
SCRIPTS = (
    "\u4f60\u597d",
    "\u3053\u3093",
    "\ud55c\uad6d",
    "\u0e2a\u0e27\u0e31",
    "\u0928\u092e\u0938\u094d",
    "\u0645\u0631\u062d",
    "\u05e9\u05dc",
    "\u041f\u0440\u0438",
    "\U00020000",
    "\U0001d54f",
)
DIGITS = (
    "0",
    "12",
    "123",
    "1234",
    "3.14",
    "1,000",
    "\u0663",
    "\uff11",
    "\u00bd",
    "\u2460",
    "\u00b2",
)
WRITING = ("a", "the", " the", "don't", "I'M", "CamelCase", "a.b,c", "...", "\u2026", "</w>", "##a")
MARKERS = (
    "<|",
    "|>",
    "<s>",
    "</s>",
    "[INST]",
    "<|im_end|>",
    "<unk>",
    "[MASK]",
    "<0x41>",
    "{{",
    "}}",
)
FRAGILE = (
    WRITING,
    WHITE_SPACE,
    LINE_ENDS,
    DIGITS,
    SCRIPTS,
    MARKS,
    FORMS,
    EMOJI,
    CONTROLS,
    MARKERS,
)
REPEATED = (" ", "a", "\n", "\t", "1", "=", "\u0301", "\u4f60", "\U0001f600", "\u2581")
LONGEST_RUN = 3000
LONGEST_ENTRY = 200  # characters; a longer entry of a stranger's vocabulary is left out
MOST_PARTS = 8  # of a text
SCALARS = 0x110000 - 0x800
MOST_IDS = 30
MOST_TURNS = 4  # of a conversation

Message = dict[str, Any]


def texts_of(spec: TokenizerSpec) -> SearchStrategy[str]:
    """Return texts weighted to this tokenizer's weak points; they shrink to plainer parts."""
    parts = [*fragile_parts(), *_own_parts(spec)]
    return st.lists(st.one_of(parts), max_size=MOST_PARTS).map("".join)


def fragile_parts() -> list[SearchStrategy[str]]:
    """Return parts that are fragile for any tokenizer, each kind equally often."""
    some = st.integers(0, 0x2FFF) | st.integers(0, SCALARS - 1)
    short, long = st.integers(2, 40), st.integers(2, LONGEST_RUN)
    repeated = st.sampled_from(REPEATED)
    return [
        *(st.sampled_from(kind) for kind in FRAGILE),
        some.map(_scalar),
        st.builds(str.__mul__, repeated, short),
        st.builds(str.__mul__, repeated, long),
    ]


def _scalar(number: int) -> str:
    """Return any character except a surrogate, the plainest for 0.

    Hypothesis draws characters by their category too, and takes a second to learn these.

    >>> _scalar(0), _scalar(SCALARS - 1)
    ('a', '`')
    """
    code = (number + ord("a")) % SCALARS
    return chr(code if code < 0xD800 else code + 0x800)


def _own_parts(spec: TokenizerSpec) -> list[SearchStrategy[str]]:
    """Return parts made of the vocabulary and of the added tokens."""
    parts = []
    entries = [text for text in dict.fromkeys(own_texts(spec)) if len(text) <= LONGEST_ENTRY]
    if entries:
        entry = st.sampled_from(entries)
        parts += [entry, _cut(entry), st.builds(str.__add__, entry, entry)]
    contents = [t.content for t in spec.added_tokens if 0 < len(t.content) <= LONGEST_ENTRY]
    if contents:
        added = st.sampled_from(contents)
        parts += [added, _cut(added), _surrounded(added), st.builds(str.__add__, added, added)]
    return parts


def _cut(tokens: SearchStrategy[str]) -> SearchStrategy[str]:
    """Return a token without its end, without its beginning, or with a space inside."""
    return st.builds(_parted, tokens, st.integers(0, LONGEST_ENTRY), st.sampled_from("<> "))


def _parted(token: str, at: int, how: str) -> str:
    at %= len(token)
    if how == " ":
        return f"{token[:at]} {token[at:]}"
    return token[:at] if how == "<" else token[at:]


def _surrounded(tokens: SearchStrategy[str]) -> SearchStrategy[str]:
    """Return a token between white space, letters or line ends, which test its flags."""
    around = st.sampled_from(["", " ", "a", "\n", "  ", "\t", "1", "."])
    return st.builds(lambda left, token, right: f"{left}{token}{right}", around, tokens, around)


def ids_of(spec: TokenizerSpec) -> SearchStrategy[list[int]]:
    """Return lists of the tokenizer's ids; a hole in the vocabulary is never drawn."""
    known = sorted({*spec.pieces, *(token.id for token in spec.added_tokens)})
    if not known:
        return st.just([])
    kinds = [known, [known[0], known[-1]], *_fragile(spec)]
    return st.lists(st.one_of([st.sampled_from(kind) for kind in kinds if kind]), max_size=MOST_IDS)


def _fragile(spec: TokenizerSpec) -> list[list[int]]:
    """Return ids by kind: added tokens, partial text, and text with outer spaces."""
    read = {id: piece_text(piece) for id, piece in spec.pieces.items()}
    return [
        sorted({token.id for token in spec.added_tokens}),
        sorted(id for id, text in read.items() if text is None),
        sorted(id for id, text in read.items() if text and text != text.strip()),
    ]


def conversations_of(system: bool, tools: bool) -> SearchStrategy[list[Message]]:
    """Return turns of user and assistant; the last assistant may be missing."""
    content = st.lists(st.one_of(fragile_parts()), max_size=4).map("".join)
    user = _message("user", content)
    plain = st.tuples(_message("assistant", content))
    answers = st.one_of(plain, _tool_use(content)) if tools else plain
    turn = st.builds(lambda asked, answer: [asked, *answer], user, answers)
    before = st.lists(_message("system", content), max_size=1 if system else 0)
    turns = st.lists(turn, max_size=MOST_TURNS)
    return st.builds(_joined, before, turns, user, st.booleans())


def _joined(
    before: list[Message], turns: list[list[Message]], last: Message, open_end: bool
) -> list[Message]:
    """Join one conversation, with at least one user message."""
    messages = [*before, *(message for turn in turns for message in turn)]
    return [*messages, last] if open_end or not turns else messages


def _message(role: str, content: SearchStrategy[str]) -> SearchStrategy[Message]:
    return content.map(lambda text: {"role": role, "content": text})


def _tool_use(content: SearchStrategy[str]) -> SearchStrategy[tuple[Message, ...]]:
    """Return a call without words, its result, and an answer to it."""
    return st.builds(
        lambda argument, result, answer: (_call(argument), _result(result), answer),
        content,
        content,
        _message("assistant", content),
    )


def _call(argument: str) -> Message:
    function = {"name": "look_up", "arguments": {"what": argument}}
    call = {"id": "call00001", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def _result(content: str) -> Message:
    return {"role": "tool", "tool_call_id": "call00001", "name": "look_up", "content": content}
