"""The pre-tokens that a training begins with, counted piece by piece."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from tokaudit.foundation.own_version import own_version
from tokaudit.foundation.progress import OnStep
from tokaudit.products.train.recipe import Recipe
from tokaudit.products.train.trainers.pipelines import pipeline
from tokaudit.products.train.words.counting import count_corpus
from tokaudit.products.train.words.work import CountingJob
from tokaudit.shards.running import Runners


def counted(recipe: Recipe, corpus: list[Path], on_step: OnStep) -> Iterator[tuple[str, int]]:
    """Each pre-token with its count, in the order of first appearance."""
    yield from count_corpus(
        corpus,
        _job(recipe),
        Runners(recipe.jobs or os.cpu_count() or 1, recipe.ray),
        resume=recipe.resume,
        on_bytes=lambda done, whole: on_step("reading", done, whole),
    )


def _job(recipe: Recipe) -> CountingJob:
    """Return how the finished tokenizer will cut; BPE without the step that spells bytes."""
    if recipe.patterns:
        return CountingJob(own_version(), recipe.special, (*recipe.digits, *recipe.patterns))
    stages = pipeline(recipe)
    steps = stages.normalizer, stages.pre_tokenizer
    return CountingJob(own_version(), recipe.special, (), *steps)
