"""Trains BPE over bytes, of one size or of several: a smaller one is the beginning of a larger."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tokaudit.foundation.progress import OnStep
from tokaudit.products.train.recipe import BYTES, Recipe
from tokaudit.products.train.trainers import tokenizer_file as file_of
from tokaudit.products.train.trainers.bpe_files import pair_of_files, spelled, vocab_of
from tokaudit.products.train.trainers.learned import LearnedMerge, Trained, readable
from tokaudit_reference.text.bytes_alphabet import BYTE_OF


def trained(
    recipes: Sequence[Recipe], counts: Callable[[], Iterable[tuple[str, int]]], on_step: OnStep
) -> list[Trained]:
    """Each recipe by the merges of the largest; `counts` is called once, and not kept."""
    from tokaudit_reference.training.bpe_on_files import merges_of

    largest = max(recipes, key=lambda recipe: recipe.vocab_size)
    frequencies: list[int] = []

    def on_merge(done: int, count: int) -> None:
        frequencies.append(count)
        on_step("merging", BYTES + done, largest.vocab_size)

    merges = merges_of(
        counts(),
        _room(largest),
        largest.tie_break,
        "alphabet",  # as the ids of the bytes in `vocab_of`
        min_frequency=largest.min_frequency,
        on_merge=on_merge,
    )
    learned = [LearnedMerge(*pair, count) for pair, count in zip(merges, frequencies, strict=True)]
    return [_as_trained(recipe, learned[: _room(recipe)]) for recipe in recipes]


def _room(recipe: Recipe) -> int:
    """Return how many merges a size has room for."""
    return recipe.vocab_size - BYTES - len(recipe.special)


def _as_trained(recipe: Recipe, learned: Sequence[LearnedMerge]) -> Trained:
    merges = spelled((each.left, each.right) for each in learned)  # type: ignore[misc]
    vocab = vocab_of(merges)
    special = {token: len(vocab) + place for place, token in enumerate(recipe.special)}
    more = pair_of_files(vocab, merges)
    if recipe.readable:
        values = [bytes(map(BYTE_OF.__getitem__, token)) for token in vocab]
        more |= readable(values, learned, recipe.special)
    model = file_of.bpe_model(vocab, merges)
    return Trained(model, special, len(vocab) + len(special), more, tuple(learned))
