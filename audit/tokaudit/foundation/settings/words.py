"""Settings that are words: one text, one of a few words, a list of names, names with values."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.nearest import meant
from tokaudit.foundation.settings.setting import Argument, AsGiven
from tokaudit.foundation.settings.toml_table import Table

T = TypeVar("T")


@dataclass(frozen=True)
class Text(AsGiven):
    """A text; `what` describes it in errors."""

    metavar: str
    what: str

    @property
    def argument(self) -> Argument:
        return Argument(self.metavar)

    def checked(self, name: str, given: object) -> str:
        if not isinstance(given, str):
            raise UsageError(f"{name} {given!r}: is not {self.what}")
        return given

    def from_toml(self, table: Table, key: str, folder: Path) -> str | None:
        return table.text(key)


@dataclass(frozen=True)
class Word(AsGiven):
    """One of a few words."""

    metavar: str
    words: tuple[str, ...]

    @property
    def argument(self) -> Argument:
        return Argument(self.metavar)

    def checked(self, name: str, given: object) -> str:
        if given not in self.words:
            near = meant(given, self.words)
            raise UsageError(f"{name} {given!r}: is not one of {', '.join(self.words)}{near}")
        return str(given)

    def from_toml(self, table: Table, key: str, folder: Path) -> str | None:
        return table.choice(key, self.words, None)


@dataclass(frozen=True)
class Words(AsGiven):
    """Some of a few words."""

    metavar: str
    words: tuple[str, ...]

    @property
    def argument(self) -> Argument:
        return Argument(self.metavar, "append")

    def checked(self, name: str, given: Iterable[object]) -> tuple[str, ...]:
        one = Word(self.metavar, self.words)
        return tuple(one.checked(name, each) for each in listed(name, given))

    def from_toml(self, table: Table, key: str, folder: Path) -> tuple[str, ...]:
        return tuple(table.known(key, each, self.words) for each in table.texts(key))


def listed(option: str, given: Iterable[Any]) -> tuple[Any, ...]:
    """Return values as a tuple; refuse a single string, which is a likely mistake."""
    if isinstance(given, str | bytes | os.PathLike):
        raise UsageError(f"{option} {given!r}: is not a list; write [{given!r}]")
    try:
        return tuple(given)
    except TypeError as error:
        raise UsageError(f"{option} {given!r}: is not a list") from error


def only(kind: type[T], what: str, option: str, given: Iterable[object]) -> tuple[T, ...]:
    """Return values of one type; `what` describes each in errors.

    >>> only(str, "a token", "special", ["<s>"])
    ('<s>',)
    """
    found = []
    for each in listed(option, given):
        if not isinstance(each, kind):
            raise UsageError(f"{option} {each!r}: is not {what}")
        found.append(each)
    return tuple(found)


def mapping(what: str, option: str, given: object) -> Mapping[Any, Any]:
    """Return a mapping; `what` describes it in errors."""
    if not isinstance(given, Mapping):
        raise UsageError(f"{option} {given!r}: is not a mapping from {what}")
    return given


def commas(text: str) -> list[str]:
    """Split names at commas.

    >>> commas("vocab, merges/order")
    ['vocab', 'merges/order']
    """
    return [name.strip() for name in text.split(",")]


@dataclass(frozen=True)
class Names(AsGiven):
    """A list of names, with optional commas on the command line."""

    metavar: str

    @property
    def argument(self) -> Argument:
        return Argument(self.metavar, "extend", commas)

    def checked(self, name: str, given: Iterable[str]) -> tuple[str, ...]:
        return listed(name, given)

    def from_toml(self, table: Table, key: str, folder: Path) -> tuple[str, ...]:
        return table.texts(key)


@dataclass(frozen=True)
class Variables(AsGiven):
    """Names with values such as `enable_thinking=false`, read as JSON where they can be."""

    argument = Argument("NAME=VALUE", "append")

    def checked(self, name: str, given: Mapping[str, Any] | Iterable[str]) -> dict[str, Any]:
        if isinstance(given, Mapping):
            return dict(given)
        return dict(_pair(name, one) for one in listed(name, given))

    def from_toml(self, table: Table, key: str, folder: Path) -> tuple[str, ...]:
        return table.texts(key)


def _pair(name: str, given: Any) -> tuple[str, Any]:
    """Split a variable from its value.

    >>> _pair("var", "enable_thinking=false"), _pair("var", "effort=low")
    (('enable_thinking', False), ('effort', 'low'))
    """
    key, equals, value = str(given).partition("=")
    if not (key.isidentifier() and equals):
        raise UsageError(f"{name} {given!r}: is not NAME=VALUE")
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value
