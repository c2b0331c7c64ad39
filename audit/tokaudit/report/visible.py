"""Show text so that every character is visible and none has an effect.

Strings from a subject reach terminals, browsers and the logs of build services: an escape
sequence, a bidirectional override, a zero-width character or a command to the service that runs
the build must be seen there, never obeyed.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

EMPTY = "⟨empty⟩"  # drawn for a text without characters, in the brackets of all signs
LONGEST = 2000  # characters of one string that a report shows; report.json keeps them all
_SIGNS = {"\n": "⏎", "\t": "⇥", "\x7f": "␡"}
# What build services obey: "::name" where a line starts, and wrapping may start a line anywhere;
# "##[" and "##vso[" wherever they are.  One character of each is drawn as a sign like it.
_COMMAND = re.compile(r"::|(?<=##)\[|(?<=##vso)\[", re.IGNORECASE)
_COMMAND_SIGNS = {"::": "∷", "[": "⟦"}
_ASCII, _ASCII_BUT_SPACE = re.compile("[ -~]+"), re.compile("[!-~]+")
_COMMAND_IN_JSON = re.compile(r"(##(?:vso)?)\[", re.IGNORECASE)
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
    """A stretch of text to show; `marked` if it replaces something unprintable."""

    text: str
    marked: bool = False


def runs(text: str, *, spaces: bool = False, limit: int = LONGEST) -> list[Run]:
    """Return the text as printable stretches; with `spaces`, spaces are signs too.

    >>> [run.text for run in runs("a\\u202eb")]
    ['a', 'U+202E', 'b']
    """
    joined: list[Run] = []
    for run in _drawn(text[:limit], spaces):
        if joined and not run.marked and not joined[-1].marked:
            joined[-1] = Run(joined[-1].text + run.text)
        else:
            joined.append(run)
    if len(text) > limit:
        joined.append(Run(f"… {len(text) - limit:,} more characters", True))
    return joined


def visible(text: str, *, spaces: bool = False, limit: int = LONGEST) -> str:
    """Return the text as one line that is safe to print, to log and to wrap.

    >>> visible("a\\x1b[31m\\u200b b", spaces=True)
    'a␛[31m⟨U+200B⟩␠b'
    >>> visible("\\n::error::no ##[group] but ##ing")
    '⏎∷error∷no ##⟦group] but ##ing'
    """
    return "".join(_bracketed(run) for run in runs(text, spaces=spaces, limit=limit))


def visible_lines(text: str) -> str:
    """Make several lines of our own text safe that quote others, such as a traceback.

    >>> visible_lines("Traceback\\n  ::error::x\\n")
    'Traceback\\n  ∷error∷x\\n'
    """
    return "".join(f"{visible(line)}\n" for line in text.removesuffix("\n").split("\n"))


def escaped_json(text: str) -> str:
    """Return JSON text with equal values and no active characters: `visible` for data.

    >>> escaped_json('{"a": "\\u202e##[group]"}')
    '{"a": "\\\\u202e##\\\\u005bgroup]"}'
    """
    acting = "".join(c for c in set(text) if c not in "\n " and _sign(c) is not None)
    if acting:  # `translate` walks over every character of a text that is not ASCII
        text = re.sub(f"[{re.escape(acting)}]", lambda found: _json_escape(found[0]), text)
    return _COMMAND_IN_JSON.sub(r"\1\\u005b", text)


def width(text: str) -> int:
    """Return the columns that a text takes in a terminal; East Asian letters take two.

    >>> width("ab"), width("模型")
    (2, 4)
    """
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


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


def _drawn(text: str, spaces: bool) -> Iterator[Run]:
    """Yield the characters one by one, but each command's mark as one sign."""
    start = 0
    for mark in _COMMAND.finditer(text):
        yield from _characters(text, spaces, start, mark.start())
        yield Run(_COMMAND_SIGNS[mark.group()], True)
        start = mark.end()
    yield from _characters(text, spaces, start, len(text))


def _characters(text: str, spaces: bool, start: int, end: int) -> Iterator[Run]:
    """Yield the characters of a range, printable ones in one stretch."""
    drawn = _ASCII_BUT_SPACE if spaces else _ASCII
    while start < end:
        if found := drawn.match(text, start, end):
            yield Run(found.group())
            start = found.end()
        else:
            yield _character(text[start], first=start == 0)
            start += 1


def _character(character: str, *, first: bool) -> Run:
    if character == " ":
        return Run("␠", True)
    if (sign := _sign(character)) is not None:
        return Run(sign, True)
    if first and unicodedata.category(character) in _COMBINING_CATEGORIES:
        return Run("◌" + character)  # else it would sit on whatever is drawn before
    return Run(character)


@lru_cache(maxsize=10_000)
def _sign(character: str) -> str | None:
    """Return a sign for an invisible or active character; else None."""
    if character in _SIGNS:
        return _SIGNS[character]
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    listed = any(low <= code <= high for low, high in _INVISIBLE_RANGES)
    if listed or unicodedata.category(character) in _INVISIBLE_CATEGORIES:
        return f"U+{code:04X}"
    return None


def _json_escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def _bracketed(run: Run) -> str:
    return f"⟨{run.text}⟩" if run.marked and run.text.startswith("U+") else run.text
