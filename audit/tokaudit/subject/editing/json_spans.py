"""Positions of the members of an object or list in JSON text, for edits in place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.places.json_lines import after_space

DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class Member:
    """An entry of a list, or a key with its value: start, start of the value, and end."""

    key: str
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class Container:
    """An object or list: its brackets and members; `pairs` if the members have keys."""

    start: int
    end: int
    members: tuple[Member, ...]
    pairs: bool

    def member(self, key: str) -> Member | None:
        """Return the last member with this key, which is the one that parsers keep."""
        return next((each for each in reversed(self.members) if each.key == key), None)


def container_at(text: str, path: tuple[str, ...]) -> Container | None:
    """Return the object or list at a path; None if there is none."""
    at = after_space(text, 0)
    for key in path:
        found = _container(text, at)
        member = found.member(key) if found is not None else None
        if member is None:
            return None
        at = member.value
    return _container(text, at)


def _container(text: str, start: int) -> Container | None:
    if text[start : start + 1] not in ("{", "["):
        return None
    try:
        members = tuple(_members(text, start))
    except (ValueError, IndexError, RecursionError) as error:
        raise UnreadableError(f"the text is not JSON: {error}") from error
    end = after_space(text, members[-1].end if members else start + 1)
    return Container(start, end, members, text[start] == "{")


def _members(text: str, start: int) -> Iterator[Member]:
    at, number, pairs = after_space(text, start + 1), 0, text[start] == "{"
    while text[at] not in "}]":
        first, key = at, str(number)
        if pairs:
            key, at = DECODER.raw_decode(text, at)
            at = after_space(text, after_space(text, at) + 1)  # over the colon
        value = at
        _, at = DECODER.raw_decode(text, at)
        yield Member(key, first, value, at)
        at, number = after_space(text, at), number + 1
        if text[at] == ",":
            at = after_space(text, at + 1)
