"""Recipe file in a trained folder: an in-toto Statement of how it was made.

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

import msgspec

from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.foundation.installed_version import own_version
from tokaudit.foundation.settings.setting import values
from tokaudit.foundation.typed_values import read_json
from tokaudit.products.train.settings import TrainSettings
from tokaudit.subject.training_recipe import (
    NAME,
    PREDICATE,
    STATEMENT,
    CorpusFile,
    FileDigests,
    RecipePredicate,
    RecipeStatement,
    TrainedFile,
    corpus_files,
)

OF_THE_RUN = ("jobs", "resume", "ray", "force")  # settings that decide nothing of the result
LARGEST = 16_000_000  # bytes of a recipe


@dataclass(frozen=True)
class KeptRecipe:
    """The part of a recipe that is needed to repeat its training."""

    vocab_size: int
    asked: TrainSettings
    corpus: tuple[CorpusFile, ...]


def recipe_json(
    asked: TrainSettings,
    vocab_size: int,
    entries: int,
    corpus: Sequence[CorpusFile],
    files: Mapping[str, str],
) -> str:
    """Format the recipe of a folder with these files."""
    settings = {name: each for name, each in values(asked).items() if name not in OF_THE_RUN}
    subject = [
        TrainedFile(name, FileDigests(hashlib.sha256(content.encode()).hexdigest()))
        for name, content in sorted(files.items())
    ]
    trainer = {"name": "tokaudit", "version": own_version()}
    predicate = RecipePredicate(trainer, vocab_size, entries, settings, list(corpus))
    found = msgspec.to_builtins(RecipeStatement(STATEMENT, subject, PREDICATE, predicate))
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def read_recipe(path: Path) -> KeptRecipe:
    """Read the recipe of a file or folder; raise `UnreadableError` on failure."""
    file = path / NAME if path.is_dir() else path
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST + 1)
        found = read_json(data, RecipeStatement)
    except OSError as error:
        raise UnreadableError(f"{file}: cannot be read: {error.strerror}") from error
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise UnreadableError(f"{file}: is not a recipe of tokaudit train: {error}") from error
    if found.predicate_type != PREDICATE:
        raise UsageError(
            f"{file}: is not a recipe of tokaudit train, since its predicateType is "
            f"{found.predicate_type!r}"
        )
    made = found.predicate.trainer.get("version")
    if made != own_version():
        raise UsageError(
            f"{file}: was written by tokaudit {made}, but this is tokaudit {own_version()}"
        )
    known = values(TrainSettings())
    settings = {name: value for name, value in found.predicate.settings.items() if name in known}
    return KeptRecipe(
        found.predicate.vocab_size, TrainSettings(**settings), tuple(found.predicate.corpus)
    )


def refuse_changed(kept: KeptRecipe, files: Sequence[Path]) -> None:
    """Raise `UnreadableError` if the corpus differs from the recipe's, naming the first file."""
    found = corpus_files(files)
    if len(found) != len(kept.corpus):
        raise UnreadableError(
            f"the recipe names {len(kept.corpus)} corpus files, but {len(found)} were found"
        )
    for now, then in zip(found, kept.corpus, strict=True):
        if (now.size, now.sha256) != (then.size, then.sha256):
            raise UnreadableError(
                f"{now.name}: has {now.size:,} bytes and the sha256 {now.sha256[:16]}..., but the "
                f"recipe expects {then.name} with {then.size:,} bytes and {then.sha256[:16]}..."
            )


def missing_files(folder: Path, files: Sequence[Path]) -> list[CorpusFile]:
    """Return files of a folder's recipe that a corpus lacks, by digest; none without one."""
    kept = folder / NAME
    if not kept.is_file():
        return []
    try:
        with kept.open("rb") as opened:
            found = read_json(opened.read(LARGEST), RecipeStatement)
    except (OSError, msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return []
    digests = {each.sha256 for each in corpus_files(files)}
    return [each for each in found.predicate.corpus if each.sha256 not in digests]
