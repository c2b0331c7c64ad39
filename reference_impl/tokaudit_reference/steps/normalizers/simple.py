"""The normalizers of a few lines: case, accents, strip, prepend, replace, NMT's clean-up, bytes."""

from __future__ import annotations

import re
from collections.abc import Callable

from tokaudit_reference.alignment import Edit, all_from, edit
from tokaudit_reference.steps.normalizers.step import Options, Step, character_wise
from tokaudit_reference.text.bytes_alphabet import to_characters
from tokaudit_reference.text.matching import find, find_literal
from tokaudit_reference.text.patterns import compiled
from tokaudit_reference.text.unicode_then import category
from tokaudit_reference.text.white_space import WHITE_SPACE

NMT_REMOVED = frozenset(map(chr, (*range(1, 9), 0xB, *range(0xE, 0x20), 0x7F, 0x8F, 0x9F)))
NMT_SPACES = frozenset("\t\n\f\r\u1680\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u2581\ufeff\ufffd")
NMT = {ord(c): "" for c in NMT_REMOVED} | {ord(c): " " for c in NMT_SPACES}

# The capitals of Unicode 15 to 17, which the library knows whatever the version of this Python is.
LOWER_SINCE_14 = {
    "\ua7cb": "\u0264",
    "\ua7dc": "\u019b",
    **{chr(code): chr(code + 1) for code in (0x1C89, *range(0xA7CC, 0xA7DB, 2))},
    **{chr(code): chr(code + 0x20) for code in range(0x10D50, 0x10D66)},
    **{chr(code): chr(code + 0x1B) for code in range(0x16EA0, 0x16EB9)},
}
NEW_CAPITALS = re.compile("[" + "".join(LOWER_SINCE_14) + "]")


def lowercase(text: str) -> str:
    """Each character by itself, without the context rule for a final sigma.

    >>> lowercase("ΑΣ")
    'ασ'
    """
    lower = "σ".join([part.lower() for part in text.split("Σ")]) if "Σ" in text else text.lower()
    return lower if text.isascii() else NEW_CAPITALS.sub(_of_new_capital, lower)


def _of_new_capital(capital: re.Match[str]) -> str:
    return LOWER_SINCE_14[capital.group()]


def strip_marks(text: str) -> str:
    """The text without marks of any kind, as of Unicode 9; decompose first to free accents.

    >>> strip_marks("e\u0301\u0903\u0488")
    'e'
    """
    if text.isascii():
        return text
    return "".join([c for c in text if category(c, 9)[0] != "M"])


def to_bytes(text: str) -> str:
    """The UTF-8 bytes of a text in GPT-2's alphabet."""
    return to_characters(text.encode("utf-8", "replace"))


def _strip(options: Options) -> Step:
    left, right = options.get("strip_left", True), options.get("strip_right", True)

    def apply(text: str) -> str:
        text = text.lstrip(WHITE_SPACE) if left else text
        return text.rstrip(WHITE_SPACE) if right else text

    def edits(text: str) -> list[Edit]:
        start = len(text) - len(text.lstrip(WHITE_SPACE)) if left else 0
        end = len(text.rstrip(WHITE_SPACE)) if right else len(text)
        if start >= end:
            return [edit(0, len(text), "")] if start or right else []
        return [edit(0, start, ""), edit(end, len(text), "")]

    return Step(apply, edits)


def _prepend(options: Options) -> Step:
    return prepended(str(options.get("prepend", "")))


def prepended(prefix: str) -> Step:
    """The step that puts a prefix, which stands for the first character, before any text."""

    def edits(text: str) -> list[Edit]:
        return [all_from(0, 0, 1, prefix + text[0])] if text else []

    return Step(lambda text: prefix + text if text else text, edits)


def replace(options: Options) -> Step:
    """Every match of a pattern, literal or regular, by the content; an empty literal never.

    What replaces a match stands for the last character of it.
    """
    pattern, content = options.get("pattern") or {}, str(options.get("content", ""))
    literal = pattern.get("String")
    if literal is not None:
        return replaced(literal, content)
    expression = compiled(str(pattern.get("Regex", "")))

    def edits(text: str) -> list[Edit]:
        return [all_from(end - 1, start, end, content) for start, end in find(expression, text)]

    def apply(text: str) -> str:
        parts: list[str] = []
        at = 0
        for start, end in find(expression, text):
            parts += text[at:start], content
            at = end
        return "".join([*parts, text[at:]])

    return Step(apply, edits)


def replaced(literal: str, content: str) -> Step:
    """The step that puts `content` for every occurrence of a literal."""

    def edits(text: str) -> list[Edit]:
        found = find_literal(literal, text)
        return [all_from(end - 1, start, end, content) for start, end in found]

    return Step(lambda text: text.replace(literal, content) if literal else text, edits)


BUILDERS: dict[str, Callable[[Options], Step]] = {
    "Lowercase": lambda options: character_wise(lowercase, lowercase),
    "StripAccents": lambda options: character_wise(strip_marks, strip_marks),
    "Strip": _strip,
    "Prepend": _prepend,
    "Replace": replace,
    "Nmt": lambda options: character_wise(
        lambda c: NMT.get(ord(c), c), lambda text: text.translate(NMT)
    ),
    "ByteLevel": lambda options: character_wise(to_bytes, to_bytes),
}
