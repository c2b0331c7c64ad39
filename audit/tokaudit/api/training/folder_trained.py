"""`tokaudit.train`: trains a tokenizer by the reference and writes it as a folder.

The words are counted as the finished tokenizer will cut them, and special tokens take no part.  All
choices are checked before the corpus is read; the folder appears whole at the end or not at all.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tokaudit.api.asked.keywords import keywords
from tokaudit.api.training.corpus import files_of
from tokaudit.api.training.folder import write_files, written_whole
from tokaudit.api.training.recipe import (
    BYTES,
    ModelKind,
    Recipe,
    refuse_small,
    roles_of,
    special_tokens,
    split_patterns,
    tie_break,
)
from tokaudit.api.training.recipe_file import (
    NAME,
    corpus_files,
    read_recipe,
    recipe_json,
    refuse_changed,
)
from tokaudit.api.training.settings import Count, TrainSettings
from tokaudit.api.training.train import OnStep, files, silently
from tokaudit.api.training.train import train as trained_by
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.places import NamedPath
from tokaudit.foundation.settings.setting import checked
from tokaudit.foundation.settings.words import listed


@dataclass(frozen=True)
class TrainedFolder:
    """What a training wrote: the folder, its entries, and how many were asked for."""

    path: Path
    entries: int
    asked: int


@dataclass(frozen=True, kw_only=True)
class TrainCall(TrainSettings):
    """What `train` may be asked: its settings, and what only a program can give."""

    on_step: OnStep | None = None


@keywords(TrainCall)
def train(
    corpus: Sequence[NamedPath], out: NamedPath, vocab_size: int, asked: TrainCall
) -> TrainedFolder:
    """Train a tokenizer on text files or folders of them, and write it to a new folder `out`.

    `vocab_size` counts all entries, the alphabet and the special tokens included.  `on_step` is
    called with what is done, how much of it, and of how much.  Raises `UsageError` for choices
    that are invalid together, before the corpus is read.
    """
    paths = [Path(path) for path in listed("corpus", corpus)]
    valid = checked(asked)
    recipe = recipe_of(Count().checked("vocab_size", vocab_size), valid)
    return _written(Path(os.fspath(out)), recipe, valid, paths, asked.on_step)


def retrain(
    recipe: NamedPath,
    out: NamedPath,
    corpus: Sequence[NamedPath] = (),
    *,
    force: bool = False,
    on_step: OnStep | None = None,
) -> TrainedFolder:
    """Train once more from the recipe that a training left, to a new folder `out`.

    The corpus is that of the recipe, or the same files in another place.  Raises `UnreadableError`
    where a file of it is not the one that the recipe names by its digest.
    """
    kept = read_recipe(Path(os.fspath(recipe)))
    names = [Path(path) for path in listed("corpus", corpus)] if corpus else []
    paths = names or [Path(each.name) for each in kept.corpus]
    refuse_changed(kept, files_of(paths))
    asked = replace(checked(kept.asked), force=force)
    chosen = recipe_of(Count().checked("vocab_size", kept.vocab_size), asked)
    return _written(Path(os.fspath(out)), chosen, asked, paths, on_step)


def _written(
    target: Path,
    recipe: Recipe,
    asked: TrainSettings,
    named: list[Path],
    on_step: OnStep | None,
) -> TrainedFolder:
    """Train, and write the folder with its recipe, whole or not at all."""
    with written_whole(target, asked.force) as folder:
        corpus = files_of(named)
        described = corpus_files(corpus)
        found = trained_by(recipe, corpus, on_step or silently)
        made = files(recipe, found)
        kept = recipe_json(asked, recipe.vocab_size, found.size, described, made)
        write_files(folder, {**made, NAME: kept})
    return TrainedFolder(target, found.size, recipe.vocab_size)


def recipe_of(vocab_size: int, asked: TrainSettings) -> Recipe:
    """The choices as a recipe; raises `UsageError` for those that are invalid together."""
    model = ModelKind(asked.model)
    _refuse_foreign(asked, model)
    stated = dict(asked.roles or {})
    free = [f"<|reserved_{number}|>" for number in range(asked.reserved or 0)]
    special = [*special_tokens(model, asked.special, stated)]
    special += [token for token in free if token not in special]
    bpe = model is ModelKind.BPE
    recipe = Recipe(
        model=model,
        vocab_size=rounded_up(vocab_size, asked.multiple or 1),
        patterns=split_patterns(asked.pattern or "gpt2") if bpe else (),
        tie_break=tie_break(asked.tie_break) if bpe else "",
        special=tuple(special),
        roles=roles_of(special, stated),
        min_frequency=asked.min_frequency or 1,
        jobs=asked.jobs,
    )
    refuse_small(recipe, BYTES if bpe else 1, f"the {BYTES} bytes" if bpe else "one character")
    return recipe


def rounded_up(size: int, multiple: int) -> int:
    """The size, or the next one that the multiple divides.

    >>> rounded_up(50257, 64), rounded_up(64, 64)
    (50304, 64)
    """
    return -(-size // multiple) * multiple


def _refuse_foreign(asked: TrainSettings, model: ModelKind) -> None:
    """Choices that the model would not look at."""
    foreign = {
        ModelKind.BPE: (),
        ModelKind.WORDPIECE: ("pattern", "tie_break"),
        ModelKind.UNIGRAM: ("pattern", "tie_break", "min_frequency"),
    }
    for name in foreign[model]:
        if getattr(asked, name) is not None:
            raise UsageError(f"--{name.replace('_', '-')} has no meaning for --model {model}")
