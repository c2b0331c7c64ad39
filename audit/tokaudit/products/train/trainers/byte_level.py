"""Train byte-level BPE of one or several sizes: a smaller one is a prefix of a larger."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence

from tokaudit.foundation.progress import OnStep
from tokaudit.products.train.recipe import BYTES, Recipe
from tokaudit.products.train.trainers import tokenizer_file as file_of
from tokaudit.products.train.trainers.learned import LearnedMerge, Trained, readable
from tokaudit_reference.text.bytes_alphabet import BYTE_OF, to_characters

VERSION = "#version: 0.2"  # loaders skip the first line, whatever it says
Merge = tuple[bytes, bytes]


def trained(
    recipes: Sequence[Recipe], counts: Callable[[], Iterable[tuple[str, int]]], on_step: OnStep
) -> list[Trained]:
    """Train each recipe by the merges of the largest; `counts` is called once."""
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
    """Return the number of merges that fit a size."""
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


def spelled(merges: Iterable[Merge]) -> list[tuple[str, str]]:
    """Spell merges in the byte alphabet.

    >>> spelled([(b" ", b"t")])
    [('Ġ', 't')]
    """
    return [(to_characters(left), to_characters(right)) for left, right in merges]


def vocab_of(merges: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Map tokens to ids: the bytes in alphabet order, then each new product.

    GPT-2 numbers its vocabulary so; tiktoken takes these ids for ranks.

    >>> vocab = vocab_of([("t", "h"), ("th", "e")])
    >>> vocab["!"], vocab["Ń"], vocab["th"], vocab["the"]
    (0, 255, 256, 257)
    """
    tokens = dict.fromkeys([*sorted(BYTE_OF), *(left + right for left, right in merges)])
    return {token: id for id, token in enumerate(tokens)}


def pair_of_files(vocab: Mapping[str, int], merges: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Format `vocab.json` and `merges.txt`."""
    lines = [VERSION, *(f"{left} {right}" for left, right in merges)]
    return {
        "vocab.json": json.dumps(vocab, ensure_ascii=False) + "\n",
        "merges.txt": "".join(f"{line}\n" for line in lines),
    }
