"""Find the plug-ins of one kind by walking the packages that hold them.

Every instance of the kind's class at the top level of a module is one plug-in, alone or in a tuple
that was made from a table.  So adding one means adding a file or a row, and no list names them.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Generic, TypeVar

from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.plugins.entry_points import OURS, PLACES, EntryPoint, entry_points

Plugin = TypeVar("Plugin")


@dataclass(frozen=True)
class Kind(Generic[Plugin]):
    """One kind of plug-in: its name, its class, and where to look for instances.

    `claims` gives the names that a plug-in takes; no other of its kind may take one of them.  The
    first is the name that it is found by.
    """

    word: str
    instances_of: type[Plugin]
    places: tuple[str, ...]
    claims: Callable[[Plugin], tuple[str, ...]]


@dataclass(frozen=True)
class Installed(Generic[Plugin]):
    """The plug-ins of one kind by name, sorted, and errors of those that failed."""

    by_name: Mapping[str, Plugin]
    troubles: tuple[str, ...] = ()

    def all(self) -> dict[str, Plugin]:
        """Return plug-ins by name; raise `UsageError` if any of them failed."""
        if self.troubles:
            raise UsageError("; ".join(self.troubles))
        return dict(self.by_name)


def installed(kind: Kind[Plugin]) -> Installed[Plugin]:
    """Return every installed plug-in of a kind; a broken package loses only its own."""
    table = _Table(kind)
    points = entry_points()
    if all(point.distribution != OURS for point in points):
        table.troubles.append("tokaudit is not installed completely: install it again with pip")
    for point in points:
        if point.place not in PLACES:
            table.troubles.append(
                f"{_named(point)} has the unknown entry point {point.place!r}; known entry points: "
                f"{', '.join(PLACES)}"
            )
        elif point.place in kind.places:
            table.add(_named(point), _modules(point.package))
    return table.installed()


def held_by(kind: Kind[Plugin], modules: Iterable[str]) -> Installed[Plugin]:
    """Return the plug-ins of a kind in these modules of installed packages."""
    table = _Table(kind)
    for name in modules:
        table.add(f"the installed module {name}", map(importlib.import_module, (name,)))
    return table.installed()


@dataclass
class _Table(Generic[Plugin]):
    """The plug-ins found so far by name, and the owner of every claimed name."""

    kind: Kind[Plugin]
    found: dict[str, Plugin] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)
    _owners: dict[str, tuple[Plugin, str]] = field(default_factory=dict)

    def installed(self) -> Installed[Plugin]:
        """Return the plug-ins found so far, by name."""
        return Installed(dict(sorted(self.found.items())), tuple(self.troubles))

    def add(self, origin: str, modules_to_import: Iterator[ModuleType]) -> None:
        """Add the plug-ins of some modules, unless one of them cannot be imported."""
        try:
            modules = list(modules_to_import)
        except (KeyboardInterrupt, MemoryError):  # neither says anything about the package
            raise
        except BaseException as error:  # a module may also exit, or panic
            said = str(error) if isinstance(error, ImportError) else _words(error)
            self.troubles.append(f"{origin} cannot be imported: {said}")
            return
        for module in modules:
            for member in vars(module).values():
                for each in member if isinstance(member, tuple) else (member,):
                    if isinstance(each, self.kind.instances_of):
                        self._take(each, module.__name__)

    def _take(self, plugin: Plugin, home: str) -> None:
        """Add a plug-in once, however many modules import it."""
        claims = self.kind.claims(plugin)
        for name in claims:
            owner, where = self._owners.get(name, (plugin, home))
            if owner is not plugin:
                self.troubles.append(
                    f"two installed {self.kind.word}s claim {name}: in {where} and in {home}"
                )
                return
        self._owners |= dict.fromkeys(claims, (plugin, home))
        self.found[claims[0]] = plugin


def _modules(package_name: str) -> Iterator[ModuleType]:
    """Import and yield the package and its modules, except those run as programs."""
    package = importlib.import_module(package_name)
    yield package
    for module in pkgutil.walk_packages(getattr(package, "__path__", ()), package_name + "."):
        if not module.name.endswith(".__main__"):
            yield importlib.import_module(module.name)


def _named(point: EntryPoint) -> str:
    return f"the installed package {point.package} (of {point.distribution})"


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
