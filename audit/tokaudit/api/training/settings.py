"""What a training may be asked: each choice with its default, next to the size and the folder."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tokaudit.api.asked.settings import NewFolder
from tokaudit.engine.pieces import Pieces
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.numbers import Flag, Share, Whole
from tokaudit.foundation.settings.places import Name, NamedPath
from tokaudit.foundation.settings.setting import Argument, AsGiven, inherited, setting
from tokaudit.foundation.settings.toml_table import Table
from tokaudit.foundation.settings.words import Text, Word, commas, listed, only

LARGEST = 10_000_000
MODELS = ("bpe", "wordpiece", "unigram")
ALPHABETS = ("bytes", "characters")
DIGITS = ("one", "three")
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
        if not isinstance(given, Mapping):
            raise UsageError(f"{name} {given!r}: is not a mapping from role to token")
        only(str, A_TOKEN, name, given.values())
        return given

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


@dataclass(frozen=True, kw_only=True)
class WhatToTrain(NewFolder):
    """Where a training goes, and its sizes or the recipe that states everything."""

    out: NamedPath | None = inherited(NewFolder, "out", "a new folder", "required to train")
    vocab_size: Sequence[int] | None = setting(
        None,
        "entries in all, the alphabet and the special tokens included; of several, such as "
        "8k,16k, each has its own folder, DIR-8000",
        Sizes(),
        "required, or that of the recipe",
    )
    recipe: NamedPath | None = setting(
        None,
        "train anew by the recipe of a folder, on its corpus or on CORPUS",
        Name("FILE_OR_DIR"),
        "none",
    )


@dataclass(frozen=True, kw_only=True)
class AfterTraining:
    """What is done with the folder that was written."""

    skip_audit: bool = setting(False, "do not audit the result", Flag(), "audit it")


@dataclass(frozen=True, kw_only=True)
class TrainSettings(Pieces):
    """What a training may be asked."""

    model: str = setting("bpe", "the kind of model", Model("", MODELS))
    pattern: str | None = setting(
        None,
        "how bpe splits text: gpt2, cl100k, o200k, llama3, qwen2, deepseek, "
        "or a regular expression",
        Text("NAME_OR_REGEX", "a regular expression"),
        "gpt2",
    )
    tie_break: str | None = setting(
        None,
        "which of equally frequent pairs bpe merges",
        Text("RULE", "the name of a rule"),
        "lowest_id",
    )
    alphabet: str | None = setting(
        None,
        "what bpe merges: bytes, or characters, those outside of the alphabet as bytes",
        Model("", ALPHABETS),
        "bytes",
    )
    coverage: float | None = setting(
        None, "the share of the text that the alphabet of characters makes up", Share(), "0.9995"
    )
    digits: str | None = setting(
        None,
        "the most digits that a token may have, whatever the pattern says",
        Model("", DIGITS),
        "the pattern decides",
    )
    min_frequency: int | None = setting(None, "merge no pair that is rarer", Count(), "1")
    jobs: int | None = setting(
        None, "processes that count the words of the corpus", Count(), "one for each core"
    )
    resume: NamedPath | None = inherited(
        Pieces,
        "resume",
        "keep the counts of finished pieces in this folder, and take those that are there",
    )
    ray: str | None = inherited(
        Pieces, "ray", "count the words by Ray at this address, or local; needs tokaudit[ray]"
    )
    special: Sequence[str] = setting(
        (),
        "a special token, which also ends a document in the corpus; may be given again",
        Tokens(),
        "what the model needs",
    )
    roles: Mapping[str, str] | None = setting(
        None,
        "what a special token is for (eos, pad, ...); may be given again",
        TokensByRole(),
        "what its name says",
        option="role",
    )
    reserved: int | None = setting(
        None,
        "special tokens kept free for later, <|reserved_0|> and on, after the others",
        Count(most=100_000),
        "none",
    )
    multiple: int | None = setting(
        None, "round the vocabulary size up to a multiple of this", Count(), "1"
    )
    held_out: float | None = setting(
        None,
        "the share of the documents to hold out, for their bytes per token",
        Share(),
        "none",
    )
    readable: bool = setting(
        False, "also write the entries for people, in the form of minbpe's .vocab", Flag(), "no"
    )
    force: bool = setting(False, "replace a tokenizer that is there", Flag(), "refuse to")
