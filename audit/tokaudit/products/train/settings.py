"""The settings of a training: each choice with its default, next to the size and the folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tokaudit.engine.pieces import Pieces
from tokaudit.engine.settings.settings import NewFolder
from tokaudit.foundation.settings.numbers import Flag, Share
from tokaudit.foundation.settings.places import Name, NamedPath
from tokaudit.foundation.settings.setting import inherited, setting
from tokaudit.foundation.settings.words import Text
from tokaudit.products.train.kinds import Count, Model, Sizes, Tokens, TokensByRole

BYTE_ALPHABET, CHARACTERS = "bytes", "characters"  # alphabets; the second has bytes for the others
DIGITS = {"one": r"\p{N}", "three": r"\p{N}{1,3}"}  # at most how many in a token
PATTERN = "gpt2"
COVERAGE = 0.9995  # of the text by the alphabet of characters, as SentencePiece's trainer has it


class ModelKind(StrEnum):
    """The algorithm to train."""

    BPE = "bpe"
    WORDPIECE = "wordpiece"
    UNIGRAM = "unigram"


@dataclass(frozen=True, kw_only=True)
class WhatToTrain(NewFolder):
    """Where a training goes, and its sizes or the recipe that states everything."""

    out: NamedPath | None = inherited(NewFolder, "out", "a new folder", "required to train")
    vocab_size: Sequence[int] | None = setting(
        None,
        "number of entries, including the alphabet and special tokens; several sizes, such as "
        "8k,16k, are written to a folder each, such as DIR-8000",
        Sizes(),
        "required, or the recipe's",
    )
    recipe: NamedPath | None = setting(
        None,
        "retrain from the recipe of a folder, on its corpus or on CORPUS",
        Name("FILE_OR_DIR"),
        "none",
    )


@dataclass(frozen=True, kw_only=True)
class AfterTraining:
    """The settings of what is done with the folder that was written."""

    skip_audit: bool = setting(False, "do not audit the result", Flag(), "audit it")


@dataclass(frozen=True, kw_only=True)
class TrainSettings(Pieces):
    """The settings of a training."""

    model: str = setting(
        str(ModelKind.BPE), "the kind of model", Model("", tuple(map(str, ModelKind)))
    )
    pattern: str | None = setting(
        None,
        "how bpe splits text: gpt2, cl100k, o200k, llama3, qwen2, deepseek, "
        "or a regular expression",
        Text("NAME_OR_REGEX", "a regular expression"),
        PATTERN,
    )
    tie_break: str | None = setting(
        None,
        "which of several equally frequent pairs bpe merges first",
        Text("RULE", "the name of a rule"),
        "lowest_id",
    )
    alphabet: str | None = setting(
        None,
        "what bpe starts from: bytes, or characters, with bytes for characters outside the "
        "alphabet",
        Model("", (BYTE_ALPHABET, CHARACTERS)),
        BYTE_ALPHABET,
    )
    coverage: float | None = setting(
        None,
        "with --alphabet characters: the share of the text that the alphabet covers",
        Share(),
        str(COVERAGE),
    )
    digits: str | None = setting(
        None,
        "the most digits that a token may have, whatever the pattern says",
        Model("", tuple(DIGITS)),
        "the pattern decides",
    )
    min_frequency: int | None = setting(
        None, "merge no pair that occurs less often than this", Count(), "1"
    )
    jobs: int | None = setting(
        None, "processes that count the words of the corpus", Count(), "one for each core"
    )
    resume: NamedPath | None = inherited(
        Pieces,
        "resume",
        "keep the finished counts of the corpus in this folder, and go on from them",
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
        "how many special tokens to reserve for later, from <|reserved_0|> on, after the others",
        Count(most=100_000),
        "none",
    )
    multiple: int | None = setting(
        None, "round the vocabulary size up to a multiple of this", Count(), "1"
    )
    held_out: float | None = setting(
        None,
        "the share of the documents to hold out, to measure bytes per token on them",
        Share(),
        "none",
    )
    readable: bool = setting(
        False,
        "also write the entries in a readable file, in the form of minbpe's .vocab",
        Flag(),
        "no",
    )
    force: bool = setting(False, "replace a tokenizer that is there", Flag(), "refuse to")
