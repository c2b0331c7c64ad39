"""A setting: one field of a frozen class, which says what it does and what may be given.

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
    """The arguments with which argparse takes a setting; `action` is one of its own."""

    metavar: str | None = None
    action: str = "store"
    type: Callable[[str], object] | None = None
    choices: tuple[str, ...] | None = None


class Kind(Protocol):
    """The kind of values that a setting takes, and how each way to give one is read."""

    @property
    def argument(self) -> Argument:
        """The arguments with which argparse takes it."""
        ...

    def checked(self, name: str, given: Any) -> Any:
        """The value as a run takes it; raises `UsageError` for one that is invalid."""
        ...

    def from_option(self, given: Any) -> Any:
        """Return what argparse found, as the functions take it."""
        ...

    def from_toml(self, table: Table, key: str, folder: Path) -> Any:
        """Return what a table states, its paths starting from a folder; None without such a key."""
        ...


class AsGiven:
    """For kinds whose values argparse gives as the functions take them."""

    def from_option(self, given: Any) -> Any:
        """Return what argparse found."""
        return given


@dataclass(frozen=True)
class Setting:
    """One setting: `help` without its default, which `default_words` say where the value cannot.

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
    """A field of a settings class, with its default; as `dataclasses.field` it is typed as that."""
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
    """A setting of a base class in other words, or with another default; it takes the same values.

    `default_words` are those of the base where none are given.
    """
    (was,) = (each for each in settings_of(kind) if each.name == name)
    given = was.default if default is dataclasses.MISSING else default
    words = default_words or was.setting.default_words
    also = {"option": was.setting.option, "key": key or was.setting.key}
    return setting(given, help, was.setting.kind, words, **also)


@dataclass(frozen=True)
class Named:
    """A setting with the name and the default of its field."""

    name: str
    default: object
    setting: Setting

    @property
    def key(self) -> str:
        """The name of the setting in a configuration."""
        return self.setting.key or self.name


def settings_of(kind: type) -> Iterator[Named]:
    """The settings of a class, its bases' first; a field that is none has no other way in."""
    for field in dataclasses.fields(kind):
        if KEY in field.metadata:
            yield Named(field.name, field.default, field.metadata[KEY])


def group_of(kind: type, name: str) -> str:
    """The title under which help lists a setting: the `GROUP` of the class that states it."""
    for each in kind.__mro__:
        if name in inspect.get_annotations(each) and "GROUP" in each.__dict__:
            return str(each.__dict__["GROUP"])
    return ""


def checked(given: T) -> T:
    """The same settings with every value as a run takes it; a default is what it is.

    Raises `UsageError` for a value that is invalid.
    """
    found = {}
    for each in settings_of(type(given)):
        value = getattr(given, each.name)
        if value is not each.default:
            found[each.name] = each.setting.kind.checked(each.name, value)
    return dataclasses.replace(given, **found)  # type: ignore[type-var]


def values(given: object) -> dict[str, Any]:
    """The settings by name, as the keyword arguments of a class or a function that has them."""
    return {each.name: getattr(given, each.name) for each in settings_of(type(given))}


def part(given: object, kind: type[T]) -> T:
    """Those of the settings that a smaller class has."""
    names = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
    return kind(**{name: getattr(given, name) for name in names})


def from_toml(table: Table, kind: type[T], folder: Path) -> T:
    """The settings that a table of TOML states; the others have their defaults."""
    read = {
        each.name: each.setting.kind.from_toml(table, each.key, folder)
        for each in settings_of(kind)
    }
    return kind(**{name: value for name, value in read.items() if value is not None})
