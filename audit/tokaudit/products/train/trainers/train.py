"""Run a recipe on a corpus: count words, train the model, and name the files.

Nothing is written here and nothing printed; `on_step` gets what is done of what there is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tokaudit.foundation.installed_version import own_version
from tokaudit.foundation.progress import OnStep
from tokaudit.products.train.recipe import Recipe, refuse_small
from tokaudit.products.train.settings import CHARACTERS, ModelKind
from tokaudit.products.train.trainers import byte_level, characters
from tokaudit.products.train.trainers import tokenizer_file as file_of
from tokaudit.products.train.trainers.learned import Trained, readable
from tokaudit.products.train.trainers.pipelines import pipeline
from tokaudit.products.train.words.counting import count_corpus
from tokaudit.products.train.words.work import CountingJob
from tokaudit.shards.running import Runners

LONGEST_WORD = 100  # WordPiece takes a longer word for unknown


def train(recipes: Sequence[Recipe], corpus: list[Path], on_step: OnStep) -> list[Trained]:
    """Count once, then train each recipe; they differ only in size."""
    trainers = {
        ModelKind.BPE: _bpe,
        ModelKind.WORDPIECE: _wordpiece,
        ModelKind.UNIGRAM: _unigram,
    }
    return trainers[recipes[0].model](recipes, corpus, on_step)


def files(recipe: Recipe, trained: Trained) -> dict[str, str]:
    """Map file names to contents for the whole folder."""
    objects = {
        "tokenizer.json": file_of.tokenizer_json(recipe, trained.model, trained.special),
        "tokenizer_config.json": file_of.tokenizer_config(recipe, trained.special),
        "special_tokens_map.json": file_of.special_tokens_map(recipe, trained.special),
    }
    return {name: _json(content) for name, content in objects.items()} | dict(trained.more)


def _json(content: Mapping[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _wordpiece(recipes: Sequence[Recipe], corpus: list[Path], on_step: OnStep) -> list[Trained]:
    from tokaudit_reference.training import wordpiece_trainer

    largest = max(recipes, key=lambda recipe: recipe.vocab_size)
    counts = counted(largest, corpus, on_step)
    words = {word: count for word, count in counts if len(word) <= LONGEST_WORD}
    alphabet = len(wordpiece_trainer.alphabet_of(words, (), "##"))
    for recipe in recipes:
        refuse_small(recipe, alphabet, f"the corpus's {alphabet} characters")
    pieces = wordpiece_trainer.train(
        words,
        largest.vocab_size,
        largest.special,
        min_frequency=largest.min_frequency,
        on_piece=lambda size: on_step("merging", size, largest.vocab_size),
    )
    return [_of_pieces(recipe, pieces[: recipe.vocab_size]) for recipe in recipes]


def _of_pieces(recipe: Recipe, pieces: Sequence[str]) -> Trained:
    vocab = {piece: id for id, piece in enumerate(pieces)}
    unknown = recipe.roles["unk"]
    more = {"vocab.txt": "".join(f"{piece}\n" for piece in pieces)} if unknown == "[UNK]" else {}
    if recipe.readable:
        more |= readable(pieces, (), ())
    return Trained(
        file_of.wordpiece_model(vocab, unknown, LONGEST_WORD),
        {token: vocab[token] for token in recipe.special},
        len(vocab),
        more,
    )


def _unigram(recipes: Sequence[Recipe], corpus: list[Path], on_step: OnStep) -> list[Trained]:
    words = dict(counted(recipes[0], corpus, on_step))
    alphabet = len(set().union(*words))
    for recipe in recipes:
        refuse_small(recipe, alphabet, f"the corpus's {alphabet} characters")
    return [_fitted(recipe, words, on_step) for recipe in recipes]


def _fitted(recipe: Recipe, words: Mapping[str, int], on_step: OnStep) -> Trained:
    from tokaudit_reference.training import unigram_trainer

    scores = unigram_trainer.train(
        words,
        recipe.vocab_size - len(recipe.special),
        on_size=lambda size: on_step(f"fitting {size:,} pieces", 0, None),
    )
    special = {token: id for id, token in enumerate(recipe.special)}
    scored = [*((token, 0.0) for token in special), *scores.items()]
    unknown = special[recipe.roles["unk"]]
    more = readable([piece for piece, _ in scored], (), ()) if recipe.readable else {}
    return Trained(file_of.unigram_model(scored, unknown), special, len(scored), more)


def _bpe(recipes: Sequence[Recipe], corpus: list[Path], on_step: OnStep) -> list[Trained]:
    first = recipes[0]
    if first.alphabet == CHARACTERS:
        return characters.trained(recipes, partial(counted, first, corpus, on_step), on_step)
    return byte_level.trained(recipes, partial(counted, first, corpus, on_step), on_step)


def counted(recipe: Recipe, corpus: list[Path], on_step: OnStep) -> Iterator[tuple[str, int]]:
    """Yield each pre-token with its count, in the order of first appearance."""
    yield from count_corpus(
        corpus,
        _job(recipe),
        Runners(recipe.jobs or os.cpu_count() or 1, recipe.ray),
        resume=recipe.resume,
        on_bytes=lambda done, whole: on_step("reading", done, whole),
    )


def _job(recipe: Recipe) -> CountingJob:
    """Return the splitting of the finished tokenizer; for BPE, without byte spelling."""
    if recipe.patterns:
        return CountingJob(own_version(), recipe.special, (*recipe.digits, *recipe.patterns))
    stages = pipeline(recipe)
    steps = stages.normalizer, stages.pre_tokenizer
    return CountingJob(own_version(), recipe.special, (), *steps)
