"""Work of `tokaudit train`: train one size or several, or a recipe, and audit each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokaudit.engine.settings.settings import AuditSettings
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.progress import OnStep
from tokaudit.foundation.settings.places import NamedPath
from tokaudit.foundation.settings.setting import part, values
from tokaudit.products.audit.one_audit import OnResult
from tokaudit.products.train.folder_trained import TrainedFolder, retrain, train, train_sizes
from tokaudit.products.train.settings import AfterTraining, TrainSettings, WhatToTrain

if TYPE_CHECKING:
    from tokaudit.products.audit.auditing import Audited


@dataclass(frozen=True, kw_only=True)
class TrainingRun(WhatToTrain, AfterTraining, TrainSettings):
    """Settings of a training with its audit, and those available only to programs."""

    on_step: OnStep | None = None
    on_result: OnResult | None = None


@dataclass(frozen=True)
class AuditedFolder:
    """A folder of a training, and its audit, if requested."""

    made: TrainedFolder
    audit: Audited | None


def trained_and_audited(corpus: Sequence[NamedPath], asked: TrainingRun) -> list[AuditedFolder]:
    """Train as requested, then audit each folder at the quick tier.

    Raises `UsageError` for what is missing or invalid together, before the corpus is read.
    """
    if asked.out is None:
        raise UsageError("train: name a new folder with --out DIR")
    by_recipe = asked.recipe is not None
    made = _again(corpus, asked.out, asked) if by_recipe else _anew(corpus, asked.out, asked)
    if asked.skip_audit:
        return [AuditedFolder(each, None) for each in made]
    return [AuditedFolder(each, _audited(each, asked)) for each in made]


def _anew(corpus: Sequence[NamedPath], out: NamedPath, asked: TrainingRun) -> list[TrainedFolder]:
    """Train one size into the folder, or several next to it."""
    if not asked.vocab_size:
        raise UsageError("train: give the number of entries with --vocab-size N")
    if not corpus:
        raise UsageError("train: name a CORPUS, as text files or folders of text files")
    choices = values(part(asked, TrainSettings))
    first, *more = asked.vocab_size
    if more:
        return train_sizes(corpus, out, asked.vocab_size, **choices, on_step=asked.on_step)
    return [train(corpus, out, first, **choices, on_step=asked.on_step)]


def _again(corpus: Sequence[NamedPath], out: NamedPath, asked: TrainingRun) -> list[TrainedFolder]:
    """Train from a recipe, which holds every setting."""
    known = values(TrainSettings())
    chosen = [name for name in known if (getattr(asked, name) or None) != (known[name] or None)]
    if asked.vocab_size is not None or set(chosen) - {"force"}:
        raise UsageError("--recipe already sets every option; leave out the other options")
    recipe = os.fspath(asked.recipe or "")
    return [retrain(recipe, out, corpus, force=asked.force, on_step=asked.on_step)]


def _audited(made: TrainedFolder, asked: TrainingRun) -> Audited:
    from tokaudit.products.audit.auditing import audited

    if asked.on_step is not None:
        asked.on_step("auditing", 0, None)
    return audited(str(made.path), AuditSettings(tier="quick"), None, asked.on_result)
