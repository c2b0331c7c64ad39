"""Settings that files leave open: special tokens, and the role of each file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.places import NamedPath
from tokaudit.foundation.settings.setting import Argument
from tokaudit.foundation.settings.toml_table import Table
from tokaudit.foundation.settings.words import listed, mapping

FilesByRole = Mapping[str, NamedPath | Sequence[NamedPath]]
"""A role of a file, such as `merges.txt`, and the path that takes it, or several."""


@dataclass(frozen=True)
class SpecialTokens:
    """Special tokens and their ids."""

    argument = Argument("TOKEN=ID", "append")

    def checked(self, name: str, given: object) -> Mapping[str, int]:
        """Return the mapping if every id is valid."""
        found = mapping("token to id", name, given)
        for token, id in found.items():
            refuse_no_id(f"{name} {token!r}", id)
        return found

    def from_option(self, given: list[str]) -> dict[str, int]:
        """Parse `TOKEN=ID` options into a mapping, split at the last equals sign.

        >>> SpecialTokens().from_option(["<|end|>=100257"])
        {'<|end|>': 100257}
        """
        found = {}
        for item in given:
            token, equals, id = item.rpartition("=")
            if not equals or not token or not id.isdecimal():
                raise UsageError(f"--special {item!r}: expected TOKEN=ID, such as <|end|>=100257")
            found[token] = int(id)
        return found

    def from_toml(self, table: Table, key: str, folder: Path) -> dict[str, int]:
        """Read a table of tokens and ids."""
        found = {}
        for token, value in table.table(key).items():
            refuse_no_id(table.at(f"{key}.{token}"), value)
            found[token] = value
        return found


@dataclass(frozen=True)
class FileRoles:
    """Roles of files whose names do not show them."""

    argument = Argument("ROLE=PATH", "append")

    def checked(self, name: str, given: object) -> object:
        """Return the mapping; its roles are checked when the subject is opened."""
        file_roles(given)  # type: ignore[arg-type]
        return given

    def from_option(self, given: list[str]) -> dict[str, list[str]]:
        """Parse `ROLE=PATH` options into a mapping from roles to paths.

        >>> FileRoles().from_option(["merges.txt=a/pairs", "merges.txt=b/pairs"])
        {'merges.txt': ['a/pairs', 'b/pairs']}
        """
        found: dict[str, list[str]] = {}
        for item in given:
            role, equals, path = item.partition("=")
            if not role or not equals or not path:
                raise UsageError(
                    f"--file {item!r}: expected ROLE=PATH, such as merges.txt=pairs.txt"
                )
            found.setdefault(role, []).append(path)
        return found

    def from_toml(self, table: Table, key: str, folder: Path) -> dict[str, str]:
        """Read a table of roles and paths, which are relative to the subject."""
        return texts_of(table, key)


@dataclass(frozen=True)
class GivenFacts:
    """Facts that no file states."""

    argument = Argument("NAME=VALUE", "append")

    def checked(self, name: str, given: object) -> object:
        """Return the mapping if it is one."""
        return mapping("name to value", name, given)

    def from_option(self, given: list[str]) -> dict[str, str]:
        """Parse `NAME=VALUE` options into a mapping.

        >>> GivenFacts().from_option(["padding_side=left"])
        {'padding_side': 'left'}
        """
        pairs = [item.partition("=") for item in given]
        for name, equals, _ in pairs:
            if not name or not equals:
                raise UsageError(f"--fact {name!r}: expected NAME=VALUE, such as padding_side=left")
        return {name: value for name, _, value in pairs}

    def from_toml(self, table: Table, key: str, folder: Path) -> dict[str, str]:
        """Read a table of names and values."""
        return texts_of(table, key)


def refuse_no_id(what: str, given: object) -> None:
    """Raise `UsageError` for an invalid token id."""
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise UsageError(f"{what}: {given!r} is not a token id")


def texts_of(table: Table, key: str) -> dict[str, str]:
    """Read a table whose values are strings."""
    found = {}
    for name, value in table.table(key).items():
        if not isinstance(value, str):
            raise UsageError(f"{table.at(f'{key}.{name}')}: {value!r} is not a string")
        found[name] = value
    return found


def file_roles(given: FilesByRole | None) -> tuple[tuple[str, str], ...]:
    """Return the user's roles and paths as pairs; the roles exist.

    >>> file_roles({"merges": "pairs.txt"})
    (('merges', 'pairs.txt'),)
    """
    from tokaudit.subject.roles import refuse_unknown

    if given is None:
        return ()
    found = mapping("a role to a path", "files", given)
    pairs = [(role, path) for role, paths in found.items() for path in _paths(paths)]
    refuse_unknown(pairs)
    return tuple(pairs)


def _paths(given: Any) -> list[str]:
    """Return one path or several as a list."""
    found = [given] if isinstance(given, str | os.PathLike) else listed("files", given)
    for path in found:
        if not isinstance(path, str | os.PathLike):
            raise UsageError(f"files {path!r}: is not a path")
    return [os.fspath(path) for path in found]
