"""The kinds of values of a training's settings, in addition to those of other functions."""

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
    """A number as the command line takes it.

    >>> count("300")
    300
    """
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= LARGEST:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {LARGEST:,}")
    return int(text)


def sizes(text: str) -> list[int]:
    """The sizes of vocabularies, each once; `k` is for thousand.

    >>> sizes("8k,16000")
    [8000, 16000]
    """
    found = [count(part[:-1] + "000" if part[-1:] == "k" else part) for part in commas(text)]
    return list(dict.fromkeys(found))


@dataclass(frozen=True)
class Count(Whole):
    """How many, of which there is one at least."""

    least: int | None = 1
    most: int | None = LARGEST

    @property
    def argument(self) -> Argument:
        """As a number whose limits argparse names."""
        return Argument("N", type=count)


@dataclass(frozen=True)
class Sizes(AsGiven):
    """The sizes of vocabularies."""

    argument = Argument("N", type=sizes)

    def checked(self, name: str, given: Sequence[int]) -> tuple[int, ...]:
        """The sizes, each of which is possible."""
        return tuple(Count().checked(name, size) for size in listed(name, given))

    def from_toml(self, table: Table, key: str, folder: Path) -> tuple[int, ...] | None:
        """One size."""
        size = table.whole(key)
        return None if size is None else (size,)


@dataclass(frozen=True)
class Model(Word):
    """The kind of model, which argparse chooses from."""

    @property
    def argument(self) -> Argument:
        """As one of the words."""
        return Argument(choices=self.words)


@dataclass(frozen=True)
class Tokens(AsGiven):
    """Special tokens."""

    argument = Argument("TOKEN", "append")

    def checked(self, name: str, given: Sequence[str]) -> tuple[str, ...]:
        """The tokens."""
        return only(str, A_TOKEN, name, given)

    def from_toml(self, table: Table, key: str, folder: Path) -> tuple[str, ...]:
        """A list of tokens."""
        return table.texts(key)


@dataclass(frozen=True)
class TokensByRole:
    """Roles, and the special token that has each."""

    argument = Argument("ROLE=TOKEN", "append")

    def checked(self, name: str, given: object) -> object:
        """The mapping itself; which roles there are is known to the recipe."""
        found = mapping("role to token", name, given)
        only(str, A_TOKEN, name, found.values())
        return found

    def from_option(self, given: list[str]) -> dict[str, str]:
        """`ROLE=TOKEN` options as a mapping; the first equals sign parts them.

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
        """A table of roles and tokens."""
        return {role: str(token) for role, token in table.table(key).items()}
