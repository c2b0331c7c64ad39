"""The recipe that a training leaves in its folder: an in-toto Statement of how it was made.

It names the files of the folder and of the corpus by their digests, the settings, the trainer and
its version.  With the same corpus and version, a training from it gives the same folder, byte for
byte; so it holds no time and no name of a machine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from tokaudit.api.training.settings import TrainSettings
from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.foundation.own_version import own_version
from tokaudit.foundation.settings.setting import values
from tokaudit.foundation.typed_values import read_json

NAME = "training_recipe.json"
STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://tokaudit.dev/recipe/v1"
OF_THE_RUN = ("jobs", "resume", "ray", "force")  # settings that decide nothing of the result
LARGEST = 16_000_000  # bytes of a recipe


@dataclass(frozen=True)
class CorpusFile:
    """A file of the corpus: as it was named, with its size and digest."""

    name: str
    size: int
    sha256: str


class _Digests(msgspec.Struct):
    sha256: str


class _Subject(msgspec.Struct):
    name: str
    digest: _Digests


class _Predicate(msgspec.Struct):
    trainer: dict[str, str]
    vocab_size: int
    entries: int
    settings: dict[str, Any]
    corpus: list[CorpusFile]


class _Statement(msgspec.Struct, rename={"type": "_type", "predicate_type": "predicateType"}):
    type: str
    subject: list[_Subject]
    predicate_type: str
    predicate: _Predicate


@dataclass(frozen=True)
class KeptRecipe:
    """What a recipe says of a training, to repeat it."""

    vocab_size: int
    asked: TrainSettings
    corpus: tuple[CorpusFile, ...]


def corpus_files(files: Sequence[Path]) -> list[CorpusFile]:
    """The files of a corpus with their digests."""
    return [_described(file) for file in files]


def _described(file: Path) -> CorpusFile:
    try:
        with file.open("rb") as data:
            digest = hashlib.file_digest(data, "sha256").hexdigest()
            return CorpusFile(file.as_posix(), data.tell(), digest)
    except OSError as error:
        raise UnreadableError(f"{file}: cannot be read: {error.strerror}") from error


def recipe_json(
    asked: TrainSettings,
    vocab_size: int,
    entries: int,
    corpus: Sequence[CorpusFile],
    files: Mapping[str, str],
) -> str:
    """The text of a recipe, of a folder with these files."""
    settings = {name: each for name, each in values(asked).items() if name not in OF_THE_RUN}
    subject = [
        _Subject(name, _Digests(hashlib.sha256(content.encode()).hexdigest()))
        for name, content in sorted(files.items())
    ]
    trainer = {"name": "tokaudit", "version": own_version()}
    predicate = _Predicate(trainer, vocab_size, entries, settings, list(corpus))
    found = msgspec.to_builtins(_Statement(STATEMENT, subject, PREDICATE, predicate))
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def read_recipe(path: Path) -> KeptRecipe:
    """The recipe of a file, or of a folder that holds one; raises `UnreadableError`."""
    file = path / NAME if path.is_dir() else path
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST + 1)
        found = read_json(data, _Statement)
    except OSError as error:
        raise UnreadableError(f"{file}: cannot be read: {error.strerror}") from error
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise UnreadableError(f"{file}: is not a recipe of tokaudit train: {error}") from error
    if found.predicate_type != PREDICATE:
        raise UsageError(f"{file}: is not a recipe of tokaudit train: {found.predicate_type!r}")
    made = found.predicate.trainer.get("version")
    if made != own_version():
        raise UsageError(f"{file}: was written by tokaudit {made}, this is {own_version()}")
    known = values(TrainSettings())
    settings = {name: value for name, value in found.predicate.settings.items() if name in known}
    return KeptRecipe(
        found.predicate.vocab_size, TrainSettings(**settings), tuple(found.predicate.corpus)
    )


def corpus_digests(data: bytes) -> set[str]:
    """The digests of the corpus files that a recipe of any version names; none of another file."""
    try:
        found = read_json(data, _Statement)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return set()
    return {file.sha256 for file in found.predicate.corpus}


def refuse_changed(kept: KeptRecipe, files: Sequence[Path]) -> None:
    """Raise `UnreadableError` where the corpus is not that of the recipe, with the first file."""
    found = corpus_files(files)
    if len(found) != len(kept.corpus):
        raise UnreadableError(
            f"the recipe is of {len(kept.corpus)} corpus files, here are {len(found)}"
        )
    for now, then in zip(found, kept.corpus, strict=True):
        if (now.size, now.sha256) != (then.size, then.sha256):
            raise UnreadableError(
                f"{now.name}: is not {then.name} of the recipe: {now.size:,} bytes with sha256 "
                f"{now.sha256[:16]}..., expected {then.size:,} with {then.sha256[:16]}..."
            )


def missing_files(folder: Path, files: Sequence[Path]) -> list[CorpusFile]:
    """The files of a folder's recipe whose digests no file of a corpus has; none without one."""
    kept = folder / NAME
    if not kept.is_file():
        return []
    try:
        with kept.open("rb") as opened:
            found = read_json(opened.read(LARGEST), _Statement)
    except (OSError, msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return []
    digests = {each.sha256 for each in corpus_files(files)}
    return [each for each in found.predicate.corpus if each.sha256 not in digests]
