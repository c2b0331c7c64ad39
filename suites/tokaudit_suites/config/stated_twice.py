"""A key that one settings file states twice, with two values."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tokaudit.engine.check import check
from tokaudit.engine.needs import Contents
from tokaudit.engine.resolver import need
from tokaudit.foundation.errors import NotApplicable, UnreadableError
from tokaudit.report.model import Basis, Finding, Harm, Place, Severity
from tokaudit.subject.material import Subject
from tokaudit.subject.safe_json import parse_object
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.stated_keys import LARGEST

CONFIG = "config"  # the role of settings files
Pairs = list[tuple[str, Any]]


@dataclass(frozen=True, slots=True)
class Twice:
    """A key, its file, and the first and the last of its values."""

    file: str
    key: str
    first: Any
    last: Any


@dataclass(frozen=True)
class StatedTwice:
    """Every key that is stated with two values in one object, and how many files were read."""

    all: tuple[Twice, ...]
    files: int


@need
def stated_twice(subject: Subject, contents: Contents) -> StatedTwice:
    """Reads the settings files again; JSON's readers keep one of the values and say nothing."""
    found: list[Twice] = []
    read = 0
    for file in subject.files:
        if file.role != CONFIG or file.size > LARGEST or file.impostor:
            continue
        data = contents.whole(file)
        try:
            parse_object(data, file.name)  # bounded in depth and size
        except UnreadableError:
            continue  # files/parse says so
        read += 1
        found += _in(data.decode("utf-8-sig", "replace"), file.name)
    return StatedTwice(tuple(found), read)


def _in(text: str, file: str) -> list[Twice]:
    found: list[Twice] = []

    def looked_at(pairs: Pairs) -> dict[str, Any]:
        first: dict[str, Any] = {}
        for key, value in pairs:
            if key in first and _shown(first[key], None) != _shown(value, None):
                found.append(Twice(file, key, first[key], value))
            first.setdefault(key, value)
        return dict(pairs)

    json.loads(text, object_pairs_hook=looked_at)
    return found


@check(
    "config/stated-twice",
    title="No settings file states a key twice",
    why="Readers of JSON keep the last of two values, or the first, or refuse the file, and none "
    "says so: loaders in two languages then have two tokenizers.",
    remedy="Delete the value that is not meant.",
    repair=person_decides("which of the two values is meant is not in the file"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="A field that was there twice had one of its values read, and nobody was warned "
    "(bids-standard/bids-validator #73); RFC 8259, section 4, leaves it to the reader.",
)
def no_key_twice(twice: StatedTwice) -> Iterator[Finding]:
    """One finding for each key that has two values."""
    if not twice.files:
        raise NotApplicable("no settings file is next to the tokenizer")
    for each in twice.all[:12]:
        yield Finding(
            Severity.ERROR,
            f"{each.file} states {each.key[:60]!r} twice, as {_shown(each.first)} and as "
            f"{_shown(each.last)}; which of the two holds depends on the reader.",
            (Place("config", each.file, "", each.key),),
            cause="twice",
        )


def _shown(value: Any, most: int | None = 60) -> str:
    return json.dumps(value, ensure_ascii=False)[:most]
