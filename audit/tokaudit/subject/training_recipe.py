"""Training recipe as its file states it, with digests of the corpus."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from tokaudit.foundation.errors import UnreadableError
from tokaudit.foundation.typed_values import read_json

NAME = "training_recipe.json"
STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://tokaudit.dev/recipe/v1"


@dataclass(frozen=True)
class CorpusFile:
    """A file of the corpus: its given name, its size and digest."""

    name: str
    size: int
    sha256: str


class FileDigests(msgspec.Struct):
    """The digests of a file."""

    sha256: str


class TrainedFile(msgspec.Struct):
    """A file of the trained folder."""

    name: str
    digest: FileDigests


class RecipePredicate(msgspec.Struct):
    """The recipe of a training."""

    trainer: dict[str, str]
    vocab_size: int
    entries: int
    settings: dict[str, Any]
    corpus: list[CorpusFile]


class RecipeStatement(msgspec.Struct, rename={"type": "_type", "predicate_type": "predicateType"}):
    """A recipe as its file writes it."""

    type: str
    subject: list[TrainedFile]
    predicate_type: str
    predicate: RecipePredicate


def corpus_files(files: Sequence[Path]) -> list[CorpusFile]:
    """Describe the files of a corpus, with their digests."""
    return [_described(file) for file in files]


def _described(file: Path) -> CorpusFile:
    try:
        with file.open("rb") as data:
            digest = hashlib.file_digest(data, "sha256").hexdigest()
            return CorpusFile(file.as_posix(), data.tell(), digest)
    except OSError as error:
        raise UnreadableError(f"{file}: cannot be read: {error.strerror}") from error


def corpus_digests(data: bytes) -> set[str]:
    """Return the corpus digests in a recipe of any version; empty for other files."""
    try:
        found = read_json(data, RecipeStatement)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return set()
    return {file.sha256 for file in found.predicate.corpus}
