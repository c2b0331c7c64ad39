"""Kinds of settings that only trainings have."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.numbers import Whole
from tokaudit.foundation.settings.setting import Argument, AsGiven
from tokaudit.foundation.settings.toml_table import Table
from tokaudit.foundation.settings.words import Word, commas, listed, mapping, only

LARGEST = 10_000_000
A_TOKEN = "a token"


def count(text: str) -> int:
    """Parse a number of the command line.

    >>> count("300")
    300
    """
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= LARGEST:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {LARGEST:,}")
    return int(text)


def sizes(text: str) -> list[int]:
    """Parse vocabulary sizes, without duplicates; `k` means thousand.

    >>> sizes("8k,16000")
    [8000, 16000]
    """
    found = [count(part[:-1] + "000" if part[-1:] == "k" else part) for part in commas(text)]
    return list(dict.fromkeys(found))


@dataclass(frozen=True)
class Count(Whole):
    """A positive count."""

    least: int | None = 1
    most: int | None = LARGEST

    @property
    def argument(self) -> Argument:
        """Return a number argument whose limits argparse names."""
        return Argument("N", type=count)


@dataclass(frozen=True)
class Sizes(AsGiven):
    """Vocabulary sizes."""

    argument = Argument("N", type=sizes)

    def checked(self, name: str, given: Sequence[int]) -> tuple[int, ...]:
        """Return the sizes if all are valid."""
        return tuple(Count().checked(name, size) for size in listed(name, given))

    def from_toml(self, table: Table, key: str, folder: Path) -> tuple[int, ...] | None:
        """Read a single size."""
        size = table.whole(key)
        return None if size is None else (size,)


@dataclass(frozen=True)
class Model(Word):
    """The kind of model, as an argparse choice."""

    @property
    def argument(self) -> Argument:
        """Return the words as choices."""
        return Argument(choices=self.words)


@dataclass(frozen=True)
class Tokens(AsGiven):
    """Special tokens."""

    argument = Argument("TOKEN", "append")

    def checked(self, name: str, given: Sequence[str]) -> tuple[str, ...]:
        """Return the tokens if all are texts."""
        return only(str, A_TOKEN, name, given)

    def from_toml(self, table: Table, key: str, folder: Path) -> tuple[str, ...]:
        """Read a list of tokens."""
        return table.texts(key)


@dataclass(frozen=True)
class TokensByRole:
    """Special tokens by role."""

    argument = Argument("ROLE=TOKEN", "append")

    def checked(self, name: str, given: object) -> object:
        """Return the mapping; the recipe checks its roles."""
        found = mapping("role to token", name, given)
        only(str, A_TOKEN, name, found.values())
        return found

    def from_option(self, given: list[str]) -> dict[str, str]:
        """Parse `ROLE=TOKEN` options into a mapping, split at the first equals sign.

        >>> TokensByRole().from_option(["eos=<|im_end|>"])
        {'eos': '<|im_end|>'}
        """
        found = {}
        for item in given:
            role, equals, token = item.partition("=")
            if not equals or not token:
                raise UsageError(f"--role {item!r}: expected ROLE=TOKEN, such as eos=<|im_end|>")
            found[role] = token
        return found

    def from_toml(self, table: Table, key: str, folder: Path) -> dict[str, str]:
        """Read a table of roles and tokens."""
        return {role: str(token) for role, token in table.table(key).items()}
