"""Tokenizers that a transformers version refuses, by key, form of value and class.

`make loaders` draws the record: every key that the classes take, with a value of every form, loaded
by both versions.  What a row says is what the version raised.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any

from tokaudit.subject.upstream.records import HERE

REFUSALS = "refusals.toml"
NAMES = "names"
ALONE, BARE = " alone", " bare"
_reading = Lock()


@dataclass(frozen=True, slots=True)
class RefusedForm:
    """Keys whose values of some forms a version refuses, for some classes.

    `of` has classes by name, `fast` for all that are built on tokenizers and `slow` for others.
    A name with `alone` is for a tokenizer.json without the files of the class, with `bare` for
    these without it.  `encoding` says that it loads, and raises once a text is encoded.
    """

    keys: frozenset[str]
    of: frozenset[str]
    forms: frozenset[str]
    says: str
    encoding: bool

    def is_of(self, name: str, is_fast: bool, has_json: bool, has_own: bool) -> bool:
        """Return whether the row applies to a class with these files."""
        plain = name.removesuffix("Fast")
        layout = {(True, False): ALONE, (False, True): BARE}.get((has_json, has_own), "")
        in_general = ("fast" if is_fast else "slow") in self.of
        return in_general or not self.of.isdisjoint((plain, plain + layout))


@dataclass(frozen=True, slots=True)
class ClassNames:
    """Classes that a version finds by name, and method names that no key may have."""

    fast: frozenset[str]
    slow: frozenset[str]
    methods: frozenset[str]

    @property
    def all(self) -> frozenset[str]:
        """Return every class, fast and slow."""
        return self.fast | self.slow


@cache
def refused_forms(version: str) -> tuple[RefusedForm, ...]:
    """Return the rows of a version.

    >>> found = [row for row in refused_forms("5.24.0") if "padding_side" in row.keys]
    >>> found[0].says.partition(",")[0]
    "ValueError: Padding side should be selected between 'right' and 'left'"
    """
    return tuple(
        RefusedForm(
            frozenset(row["keys"]),
            frozenset(row["of"]),
            frozenset(row["forms"]),
            row["says"],
            bool(row.get("while")),
        )
        for row in _record()[version]
    )


@cache
def class_names_of(version: str) -> ClassNames:
    """Return the classes of a version, as its `tokenizer_class_from_name` finds them.

    >>> "TokenizersBackend" in class_names_of("5.24.0").fast
    True
    >>> "TokenizersBackend" in class_names_of("4.57.6").all
    False
    """
    found = _record()[NAMES][version]
    return ClassNames(*(frozenset(found[each].split()) for each in ("fast", "slow", "methods")))


def _record() -> Mapping[str, Any]:
    with _reading:  # several checks ask at the same time, and each would parse it
        return _parsed()


@cache
def _parsed() -> Mapping[str, Any]:
    return tomllib.loads((HERE / REFUSALS).read_text("utf-8"))
