"""BPE dropout: merging in which each merge is left out with some chance, for training with noise.

Whenever the best pair is sought, each pair that could be merged is passed over with chance p; when
all of them are passed over, merging ends.  p = 0 gives `bpe.merge_textbook`, p = 1 the symbols.

Source: Provilkov, Emelianenko, Voita 2020, "BPE-Dropout".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random

from tokaudit_reference.models.bpe.merge import Pair, Ranked


def encode_with_dropout(
    symbols: Sequence[int], table: Mapping[Pair, Ranked], p: float, random: Random
) -> list[int]:
    """The ids after merging with dropout.

    >>> encode_with_dropout([1, 2, 3], {(1, 2): (0, 9)}, 1.0, Random(0))
    [1, 2, 3]
    """
    return [id for id in merge_with_dropout(symbols, table, p, random) if id is not None]


def merge_with_dropout(
    symbols: Sequence[int], table: Mapping[Pair, Ranked], p: float, random: Random
) -> list[int | None]:
    """Merge at random, and return each id at the place of its first symbol, None at the others."""
    word: list[int | None] = list(symbols)
    places, ids = list(range(len(word))), list(symbols)
    while True:
        offers = [
            (entry[0], index, entry[1])
            for index, pair in enumerate(pairwise(ids))
            if (entry := table.get(pair)) is not None and random.random() >= p
        ]
        if not offers:
            return word
        _, index, product = min(offers)
        word[places[index]], word[places[index + 1]] = product, None
        ids[index : index + 2] = [product]
        del places[index + 1]
