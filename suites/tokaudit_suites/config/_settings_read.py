"""Duplicate keys in settings files, and values that some JSON readers refuse.

This is not a check: it reads each file once more, as a parser keeps one of two values and makes a
number of what is none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tokaudit.plugin import Contents, NotApplicable, Subject, UnreadableError, need
from tokaudit.subject.numbers import finite
from tokaudit.subject.safe_json import Pairs, parse_object, pointer
from tokaudit_suites.shared.stated_keys import LARGEST

CONFIG = "config"  # the role of settings files
MOST = 12  # findings, and values of a file
SURROGATE = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Twice:
    """A duplicate key, its file, and its first and last value."""

    file: str
    key: str
    first: Any
    last: Any


@dataclass(frozen=True, slots=True)
class OddValue:
    """A value that readers in other languages refuse, its place, and the reason."""

    file: str
    pointer: str
    why: str


@dataclass(frozen=True)
class SettingsRead:
    """Every duplicate key with two values, and every unportable value."""

    twice: tuple[Twice, ...]
    odd: tuple[OddValue, ...]


@need
def settings_read(subject: Subject, contents: Contents) -> SettingsRead:
    """Read the settings files again; not applicable if there are none."""
    twice: list[Twice] = []
    odd: list[OddValue] = []
    read = 0
    for file in subject.files:
        if file.role != CONFIG or file.size > LARGEST or file.impostor:
            continue
        found: list[tuple[str, Any, Any]] = []
        try:
            value = parse_object(contents.whole(file), file.name, made=_noting(found))
        except UnreadableError:
            continue  # files/parse says so
        read += 1
        twice += [Twice(file.name, *each) for each in found]
        odd += [OddValue(file.name, at, why) for at, why in odd_values(value)]
    if not read:
        raise NotApplicable("no settings file is next to the tokenizer")
    return SettingsRead(tuple(twice), tuple(odd))


def _noting(found: list[tuple[str, Any, Any]]) -> Any:
    """Return a JSON object hook that records keys with two values."""

    def made(pairs: Pairs) -> dict[str, Any]:
        first: dict[str, Any] = {}
        for key, value in pairs:
            if key in first and in_json(first[key], None) != in_json(value, None):
                found.append((key, first[key], value))
            first.setdefault(key, value)
        return dict(pairs)

    return made


def odd_values(value: Any, above: str = "") -> Iterator[tuple[str, str]]:
    """Yield the pointer of each unportable value in JSON, with the reason.

    >>> [*odd_values({"a": [1, float("nan")], "b": 10**309, "c": 1e30})]
    [('/a/1', 'is no number that 64 bits hold'), ('/b', 'is no number that 64 bits hold')]
    """
    match value:
        case dict():
            for key, each in value.items():
                at = above + pointer(key)
                if SURROGATE.search(key):
                    yield above, "has a key with half of a surrogate pair"
                else:
                    yield from odd_values(each, at)
        case list():
            for index, each in enumerate(value):
                yield from odd_values(each, f"{above}/{index}")
        case str() if SURROGATE.search(value):
            yield above, "holds half of a surrogate pair"
        case float() | int() if not finite(value):
            yield above, "is not a valid 64-bit number"


def in_json(value: Any, most: int | None = 60) -> str:
    """Format a value as JSON, shortened for a sentence."""
    return json.dumps(value, ensure_ascii=False)[:most]
