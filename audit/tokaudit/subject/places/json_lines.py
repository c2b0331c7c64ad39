"""Line numbers of pointers in a JSON file.

A pointer is followed member by member, and what it does not lead through is passed over by Python's
own scanner, so that a file of ten megabytes takes a fraction of a second.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from tokaudit.subject.safe_json import steps

SPACE = re.compile(r"[ \t\n\r]*")
DECODER = json.JSONDecoder()


@dataclass
class _Wanted:
    """Pointers wanted at a value, and below its members."""

    pointers: list[str] = field(default_factory=list)
    below: dict[str, _Wanted] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Member:
    """A member of an object or list: its start, and its value's start."""

    key: str
    start: int
    value: int


def lines_of(text: str, pointers: Iterable[str]) -> dict[str, int]:
    """Return the line of each pointer (RFC 6901) to a value; for an entry, its key's.

    Of a key that is given twice the last counts, as it does for parsers.

    >>> lines_of('{"a": 1,\\n "b": [2,\\n 3]}', ["/a", "/b/1", "/c"])
    {'/a': 1, '/b/1': 3}
    """
    found: dict[str, int] = {}
    with suppress(ValueError, RecursionError, IndexError):  # what cannot be read has no line
        _follow(text, after_space(text, 0), _tree(pointers), found)
    lines, line, before = {}, 1, 0
    for pointer, start in sorted(found.items(), key=lambda each: each[1]):
        line, before = line + text.count("\n", before, start), start
        lines[pointer] = line
    return lines


def _tree(pointers: Iterable[str]) -> _Wanted:
    root = _Wanted()
    for pointer in pointers:
        node = root
        for key in steps(pointer):
            node = node.below.setdefault(key, _Wanted())
        node.pointers.append(pointer)
    return root


def _follow(text: str, start: int, wanted: _Wanted, found: dict[str, int]) -> None:
    """Record the lines of wanted values below the one that begins at `start`."""
    if not wanted.below:
        return
    last = {each.key: each for each in _members(text, start) if each.key in wanted.below}
    for key, member in last.items():
        found.update(dict.fromkeys(wanted.below[key].pointers, member.start))
        _follow(text, member.value, wanted.below[key], found)


def _members(text: str, start: int) -> Iterator[_Member]:
    """Yield the members of the object or list at `start`; none for a text or number."""
    kind = text[start]
    if kind not in "{[":
        return
    at, number = after_space(text, start + 1), 0
    while text[at] not in "}]":
        first, key = at, str(number)
        if kind == "{":
            key, at = DECODER.raw_decode(text, at)
            at = after_space(text, after_space(text, at) + 1)  # over the colon
        yield _Member(key, first, at)
        _, at = DECODER.raw_decode(text, at)
        at, number = after_space(text, at), number + 1
        if text[at] == ",":
            at = after_space(text, at + 1)


def after_space(text: str, at: int) -> int:
    """Return the next position that is not white space."""
    match = SPACE.match(text, at)
    return match.end() if match else at
