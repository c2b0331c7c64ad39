"""Shows text so that every character in it can be seen and none of them acts.

Strings from a subject reach terminals and browsers: an escape sequence, a bidirectional override
or a zero-width character must be seen there, never obeyed.
"""

from __future__ import annotations

import base64
import binascii
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST = 2000  # characters of one string that a report shows; report.json keeps them all
_SIGNS = {"\n": "⏎", "\t": "⇥", "\x7f": "␡"}
_INVISIBLE_CATEGORIES = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"))
_COMBINING_CATEGORIES = frozenset(("Mn", "Me", "Mc"))
# Letters, marks and symbols that draw nothing: joiners, fillers, selectors and the blank Braille.
_INVISIBLE_RANGES = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xE0100, 0xE01EF),
)


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text to draw; `marked` when it stands for what could not be drawn itself."""

    text: str
    marked: bool = False


def runs(text: str, *, spaces: bool = False, limit: int = LONGEST) -> list[Run]:
    """The text as stretches that are safe to draw; with `spaces`, spaces are signs too.

    >>> [run.text for run in runs("a\\u202eb")]
    ['a', 'U+202E', 'b']
    """
    joined: list[Run] = []
    for run in _characters(text[:limit], spaces):
        if joined and not run.marked and not joined[-1].marked:
            joined[-1] = Run(joined[-1].text + run.text)
        else:
            joined.append(run)
    if len(text) > limit:
        joined.append(Run(f"… {len(text) - limit:,} more characters", True))
    return joined


def visible(text: str, *, spaces: bool = False, limit: int = LONGEST) -> str:
    """The text as one plain string that is safe to print.

    >>> visible("a\\x1b[31m\\u200b b", spaces=True)
    'a␛[31m⟨U+200B⟩␠b'
    """
    return "".join(_bracketed(run) for run in runs(text, spaces=spaces, limit=limit))


def text_of(text: str | None, text_base64: str | None) -> str | None:
    """The text of an evidence, whichever way it travels; what is not text shows as `\\xNN`."""
    if text is not None or text_base64 is None:
        return text
    try:
        raw = base64.b64decode(text_base64, validate=True)
    except (binascii.Error, ValueError):
        return text_base64
    try:
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return raw.decode("utf-8", "backslashreplace")


def _characters(text: str, spaces: bool) -> Iterator[Run]:
    for index, character in enumerate(text):
        if character == " ":
            yield Run("␠", True) if spaces else Run(" ")
        elif (sign := _sign(character)) is not None:
            yield Run(sign, True)
        elif index == 0 and unicodedata.category(character) in _COMBINING_CATEGORIES:
            yield Run("◌" + character)  # else it would sit on whatever stands before
        else:
            yield Run(character)


def _sign(character: str) -> str | None:
    """What to draw in place of a character that draws nothing or acts on its neighbours."""
    if character in _SIGNS:
        return _SIGNS[character]
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    listed = any(low <= code <= high for low, high in _INVISIBLE_RANGES)
    if listed or unicodedata.category(character) in _INVISIBLE_CATEGORIES:
        return f"U+{code:04X}"
    return None


def _bracketed(run: Run) -> str:
    return f"⟨{run.text}⟩" if run.marked and run.text.startswith("U+") else run.text
