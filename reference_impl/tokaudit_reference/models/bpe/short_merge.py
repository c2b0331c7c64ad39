"""Merging when a rank belongs to one pair, tuned for short pieces: a scan instead of a heap.

A pre-token has a handful of symbols, and of so few ranks the least is found sooner than a heap is
built.  The rank of each neighbouring pair is kept next to the symbols, and after a merge only those
of its two neighbours change.  No other pair has the same rank, so the first place of the least is
the leftmost of equals.  `merge_textbook` in `merge` is the slow way to the same result, and a
property test compares them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, repeat

from tokaudit_reference.models.bpe.merge import Pair, Ranked

NO_PAIR = sys.maxsize  # above every rank
SHORT = 32  # symbols up to which the scan beats the heap


@dataclass(frozen=True, slots=True)
class PairRanks:
    """The rank of each pair, and the product for each rank."""

    rank_of: Mapping[Pair, int]
    product_of: Mapping[int, int]

    @classmethod
    def of(cls, table: Mapping[Pair, Ranked]) -> PairRanks:
        """Build from a table in which no two pairs share a rank."""
        return cls(
            {pair: int(rank) for pair, (rank, _) in table.items()},
            {int(rank): product for rank, product in table.values()},
        )


def merge_short(symbols: Sequence[int], pairs: PairRanks) -> list[int]:
    """The symbols merged as far as the pairs go.

    >>> merge_short([1, 2, 1, 2, 3], PairRanks.of({(1, 2): (0, 9), (9, 3): (1, 10)}))
    [9, 10]
    """
    word, rank_of, product_of = list(symbols), pairs.rank_of.get, pairs.product_of
    ranks = list(map(rank_of, pairwise(word), repeat(NO_PAIR)))  # of the pair that begins there
    while ranks and (best := min(ranks)) != NO_PAIR:
        place = ranks.index(best)
        product = word[place] = product_of[best]
        del word[place + 1], ranks[place]
        if place:
            ranks[place - 1] = rank_of((word[place - 1], product), NO_PAIR)
        if place < len(ranks):
            ranks[place] = rank_of((product, word[place + 1]), NO_PAIR)
    return word
