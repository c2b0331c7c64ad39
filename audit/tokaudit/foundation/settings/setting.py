"""A setting: one field of a frozen class, with its help and its allowed values.

From the fields come the keyword arguments of the functions, the options of the command line, and
the keys of a gate's configuration; a setting is listed nowhere else.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from tokaudit.foundation.settings.toml_table import Table

KEY = "tokaudit"  # of a field's metadata
T = TypeVar("T")


@dataclass(frozen=True)
class Argument:
    """Arguments for argparse; `action` is one of its own."""

    metavar: str | None = None
    action: str = "store"
    type: Callable[[str], object] | None = None
    choices: tuple[str, ...] | None = None


class Kind(Protocol):
    """The kind of a setting's values, with a parser for each source of settings."""

    @property
    def argument(self) -> Argument:
        """Return the arguments for argparse."""
        ...

    def checked(self, name: str, given: Any) -> Any:
        """Validate a value and convert it for a run; raise `UsageError` if it is invalid."""
        ...

    def from_option(self, given: Any) -> Any:
        """Convert an argparse value for the functions."""
        ...

    def from_toml(self, table: Table, key: str, folder: Path) -> Any:
        """Read a table's value, with paths relative to the folder; None without the key."""
        ...


class AsGiven:
    """Base for kinds whose argparse values need no conversion."""

    def from_option(self, given: Any) -> Any:
        """Return the argparse value."""
        return given


@dataclass(frozen=True)
class Setting:
    """One setting: `help` without the default, which `default_words` may describe.

    `option` is its name on the command line, and `key` in a configuration, where it has another
    one there.
    """

    help: str
    kind: Kind
    default_words: str = ""
    option: str = ""
    key: str = ""


def setting(
    default: T, help: str, kind: Kind, default_words: str = "", *, option: str = "", key: str = ""
) -> T:
    """Declare a field of a settings class with its default, typed like `dataclasses.field`."""
    metadata = {KEY: Setting(help, kind, default_words, option, key)}
    found: T = dataclasses.field(default=default, metadata=metadata)
    return found


def inherited(
    kind: type,
    name: str,
    help: str,
    default_words: str = "",
    *,
    default: Any = dataclasses.MISSING,
    key: str = "",
) -> Any:
    """Redeclare a setting of a base class with other help or another default.

    `default_words` are those of the base where none are given.
    """
    (was,) = (each for each in settings_of(kind) if each.name == name)
    given = was.default if default is dataclasses.MISSING else default
    words = default_words or was.setting.default_words
    also = {"option": was.setting.option, "key": key or was.setting.key}
    return setting(given, help, was.setting.kind, words, **also)


@dataclass(frozen=True)
class Named:
    """A setting with its field's name and default."""

    name: str
    default: object
    setting: Setting

    @property
    def key(self) -> str:
        """Return the name of the setting in a configuration."""
        return self.setting.key or self.name


def settings_of(kind: type) -> Iterator[Named]:
    """Yield the settings of a class, its bases' first; other fields have no external source."""
    for field in dataclasses.fields(kind):
        if KEY in field.metadata:
            yield Named(field.name, field.default, field.metadata[KEY])


def group_of(kind: type, name: str) -> str:
    """Return the help section of a setting: the `GROUP` of its class."""
    for each in kind.__mro__:
        if name in inspect.get_annotations(each) and "GROUP" in each.__dict__:
            return str(each.__dict__["GROUP"])
    return ""


def checked(given: T) -> T:
    """Return the settings with every value validated; defaults stay unchanged.

    Raises `UsageError` for a value that is invalid.
    """
    found = {}
    for each in settings_of(type(given)):
        value = getattr(given, each.name)
        if value is not each.default:
            found[each.name] = each.setting.kind.checked(each.name, value)
    return dataclasses.replace(given, **found)  # type: ignore[type-var]


def values(given: object) -> dict[str, Any]:
    """Return the settings by name, as keyword arguments."""
    return {each.name: getattr(given, each.name) for each in settings_of(type(given))}


def part(given: object, kind: type[T]) -> T:
    """Return the settings that a smaller class shares."""
    names = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
    return kind(**{name: getattr(given, name) for name in names})


def from_toml(table: Table, kind: type[T], folder: Path) -> T:
    """Read settings from a TOML table; others keep their defaults."""
    read = {
        each.name: each.setting.kind.from_toml(table, each.key, folder)
        for each in settings_of(kind)
    }
    return kind(**{name: value for name, value in read.items() if value is not None})
