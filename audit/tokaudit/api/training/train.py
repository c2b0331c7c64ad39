"""Runs a recipe on a corpus: counts the words, trains the model, and names the files of the result.

Nothing is written here and nothing printed; `on_step` gets what is done of what there is.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokaudit.api.training import tokenizer_file as file_of
from tokaudit.api.training.bpe_files import pair_of_files, spelled, vocab_of
from tokaudit.api.training.corpus import documents, text_of
from tokaudit.api.training.pipelines import counted, splitter
from tokaudit.api.training.recipe import BYTES, ModelKind, Recipe, refuse_small
from tokaudit.foundation.errors import UnreadableError

OnStep = Callable[[str, int, int | None], None]  # what, how much is done, of how much
LONGEST_WORD = 100  # WordPiece takes a longer word for unknown


def silently(what: str, done: int, total: int | None) -> None:
    """Ignore the progress."""


@dataclass(frozen=True, slots=True)
class Trained:
    """The model as its object in `tokenizer.json`, its special tokens, and other files."""

    model: Mapping[str, Any]
    special: Mapping[str, int]
    size: int
    more: Mapping[str, str]


def train(recipe: Recipe, corpus: list[Path], on_step: OnStep) -> Trained:
    """Count, then train by the recipe's algorithm."""
    trainers = {
        ModelKind.BPE: _bpe,
        ModelKind.WORDPIECE: _wordpiece,
        ModelKind.UNIGRAM: _unigram,
    }
    return trainers[recipe.model](recipe, corpus, on_step)


def files(recipe: Recipe, trained: Trained) -> dict[str, str]:
    """Name -> content of every file of the folder."""
    objects = {
        "tokenizer.json": file_of.tokenizer_json(recipe, trained.model, trained.special),
        "tokenizer_config.json": file_of.tokenizer_config(recipe, trained.special),
        "special_tokens_map.json": file_of.special_tokens_map(recipe, trained.special),
    }
    return {name: _json(content) for name, content in objects.items()} | dict(trained.more)


def _json(content: Mapping[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _words(recipe: Recipe, corpus: list[Path], on_step: OnStep) -> Counter[str]:
    def texts() -> Iterator[str]:
        for done, file in enumerate(corpus):
            on_step("reading", done, len(corpus))
            yield from documents(text_of(file), recipe.special)

    return counted(texts(), splitter(recipe))


def _wordpiece(recipe: Recipe, corpus: list[Path], on_step: OnStep) -> Trained:
    from tokaudit_reference.training import wordpiece_trainer

    counts = _words(recipe, corpus, on_step)
    words = {word: count for word, count in counts.items() if len(word) <= LONGEST_WORD}
    alphabet = wordpiece_trainer.alphabet_of(words, (), "##")
    refuse_small(recipe, len(alphabet), f"the corpus's {len(alphabet)} characters")
    pieces = wordpiece_trainer.train(
        words,
        recipe.vocab_size,
        recipe.special,
        min_frequency=recipe.min_frequency,
        on_piece=lambda size: on_step("merging", size, recipe.vocab_size),
    )
    vocab = {piece: id for id, piece in enumerate(pieces)}
    unknown = recipe.roles["unk"]
    more = {"vocab.txt": "".join(f"{piece}\n" for piece in pieces)}
    return Trained(
        file_of.wordpiece_model(vocab, unknown, LONGEST_WORD),
        {token: vocab[token] for token in recipe.special},
        len(vocab),
        more if unknown == "[UNK]" else {},
    )


def _unigram(recipe: Recipe, corpus: list[Path], on_step: OnStep) -> Trained:
    from tokaudit_reference.training import unigram_trainer

    words = _words(recipe, corpus, on_step)
    alphabet = len(set().union(*words))
    refuse_small(recipe, alphabet, f"the corpus's {alphabet} characters")
    scores = unigram_trainer.train(
        words,
        recipe.vocab_size - len(recipe.special),
        on_size=lambda size: on_step(f"fitting {size:,} pieces", 0, None),
    )
    special = {token: id for id, token in enumerate(recipe.special)}
    scored = [*((token, 0.0) for token in special), *scores.items()]
    unknown = special[recipe.roles["unk"]]
    return Trained(file_of.unigram_model(scored, unknown), special, len(scored), {})


def _bpe(recipe: Recipe, corpus: list[Path], on_step: OnStep) -> Trained:
    from tokaudit_reference.training.bpe_on_files import merges_of

    merges = spelled(
        merges_of(
            _pre_tokens(recipe, corpus, on_step),
            recipe.vocab_size - BYTES - len(recipe.special),
            recipe.tie_break,
            "alphabet",  # as the ids of the bytes in `vocab_of`
            min_frequency=recipe.min_frequency,
            on_merge=lambda done: on_step("merging", BYTES + done, recipe.vocab_size),
        )
    )
    vocab = vocab_of(merges)
    special = {token: len(vocab) + place for place, token in enumerate(recipe.special)}
    more = pair_of_files(vocab, merges)
    return Trained(file_of.bpe_model(vocab, merges), special, len(vocab) + len(special), more)


def _pre_tokens(recipe: Recipe, corpus: list[Path], on_step: OnStep) -> Counter[str]:
    from tokaudit_reference.spec import SpecError
    from tokaudit_reference.training.words import count_words

    counts: Counter[str] = Counter()
    whole, before = sum(file.stat().st_size for file in corpus), 0
    for file in corpus:
        try:
            counts += count_words(
                file,
                recipe.special,
                recipe.patterns,
                processes=recipe.jobs,
                on_bytes=lambda done, before=before: on_step("reading", before + done, whole),  # type: ignore[misc]
            )
        except SpecError as error:
            raise UnreadableError(f"{error}; {error.remedy}") from error
        before += file.stat().st_size
    return counts
