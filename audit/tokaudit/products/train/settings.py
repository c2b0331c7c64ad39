"""Settings of a training, with defaults."""

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
    """The output folder, and the vocabulary sizes or a recipe."""

    out: NamedPath | None = inherited(
        NewFolder, "out", "write the new tokenizer into this new folder; needed to train", "none"
    )
    vocab_size: Sequence[int] | None = setting(
        None,
        "number of vocabulary entries, including the alphabet and special tokens; for several "
        "sizes, such as 8k,16k, each tokenizer gets its own folder, such as DIR-8000",
        Sizes(),
        "the recipe's size; required without --recipe",
    )
    recipe: NamedPath | None = setting(
        None,
        "train a tokenizer again from this recipe, or from the recipe in this folder, on the "
        "recipe's corpus or on CORPUS",
        Name("FILE_OR_DIR"),
        "none",
    )


@dataclass(frozen=True, kw_only=True)
class AfterTraining:
    """Settings of the audit after training."""

    skip_audit: bool = setting(
        False, "do not audit the new tokenizer", Flag(), "audit the new tokenizer"
    )


@dataclass(frozen=True, kw_only=True)
class TrainSettings(Pieces):
    """Settings of a training."""

    model: str = setting(
        str(ModelKind.BPE), "the kind of tokenizer to train", Model("", tuple(map(str, ModelKind)))
    )
    pattern: str | None = setting(
        None,
        "the pattern by which bpe splits text into words: gpt2, cl100k, o200k, llama3, qwen2, "
        "deepseek, or a regular expression",
        Text("NAME_OR_REGEX", "a regular expression"),
        PATTERN,
    )
    tie_break: str | None = setting(
        None,
        "the rule by which bpe decides which of several equally frequent pairs to merge first",
        Text("RULE", "the name of a rule"),
        "lowest_id",
    )
    alphabet: str | None = setting(
        None,
        "the first entries of a bpe vocabulary: all bytes, or frequent characters; other "
        "characters are then written as bytes",
        Model("", (BYTE_ALPHABET, CHARACTERS)),
        BYTE_ALPHABET,
    )
    coverage: float | None = setting(
        None,
        "with --alphabet characters: the share of the corpus's characters that are in the alphabet",
        Share(),
        str(COVERAGE),
    )
    digits: str | None = setting(
        None,
        "the highest number of digits in one token, even if the split pattern allows more",
        Model("", tuple(DIGITS)),
        "the split pattern decides",
    )
    min_frequency: int | None = setting(
        None, "merge only pairs that occur at least this often in the corpus", Count(), "1"
    )
    jobs: int | None = setting(
        None, "number of processes that count the words of the corpus", Count(), "one for each core"
    )
    resume: NamedPath | None = inherited(
        Pieces,
        "resume",
        "save the finished word counts of the corpus in this folder; the next run continues from "
        "these counts",
    )
    ray: str | None = inherited(
        Pieces,
        "ray",
        "the address of a Ray cluster that counts the words of the corpus, or "
        "`local` for Ray on this machine; needs the extra tokaudit[ray]",
    )
    special: Sequence[str] = setting(
        (),
        "a special token; where it occurs in the corpus, a document ends; may be given again",
        Tokens(),
        "the special tokens that the kind of tokenizer needs",
    )
    roles: Mapping[str, str] | None = setting(
        None,
        "the role of a special token, such as eos=TOKEN or pad=TOKEN; may be given again",
        TokensByRole(),
        "the role that the token's name states",
        option="role",
    )
    reserved: int | None = setting(
        None,
        "how many special tokens to reserve for later use; they are named <|reserved_0|> and so "
        "on, and follow the other special tokens",
        Count(most=100_000),
        "none",
    )
    multiple: int | None = setting(
        None, "round the vocabulary size up to a multiple of this number", Count(), "1"
    )
    held_out: float | None = setting(
        None,
        "the share of the documents that the trainer does not read; the bytes per token are "
        "measured on these documents",
        Share(),
        "none",
    )
    readable: bool = setting(
        False,
        "also write a readable list of the entries, in the format of minbpe's .vocab files",
        Flag(),
        "no list is written",
    )
    force: bool = setting(
        False,
        "overwrite the tokenizer in the --out folder if there is one",
        Flag(),
        "refuse to overwrite a tokenizer",
    )
