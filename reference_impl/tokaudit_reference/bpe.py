"""Byte-pair encoding: merge the best-ranked neighbouring pair until none is left.

`merge_textbook` is the algorithm in the words of the textbook; `merge_fast` gives the same with a
linked list and a heap whose stale entries are recognised and dropped.  Both work on ids and know
nothing of text.  Neither trains.

Source: Sennrich, Haddow, Birch 2016, "Neural Machine Translation of Rare Words with Subword Units".
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from itertools import pairwise

Pair = tuple[int, int]
Ranked = tuple[float, int]  # rank, lower first, and the id that the pair becomes
SHORT = 40  # symbols up to which the textbook's scan beats the heap


def merge(symbols: Sequence[int], table: Mapping[Pair, Ranked]) -> list[int]:
    """The symbols merged as far as the table goes, by whichever way is quicker."""
    return (merge_textbook if len(symbols) <= SHORT else merge_fast)(symbols, table)


def merge_textbook(symbols: Sequence[int], table: Mapping[Pair, Ranked]) -> list[int]:
    """Merge the best-ranked pair, the leftmost of equals, until no pair is in the table.

    >>> merge_textbook([1, 2, 1, 2, 3], {(1, 2): (0, 9), (9, 3): (1, 10)})
    [9, 10]
    """
    word = list(symbols)
    while len(word) > 1:
        found = [table.get(pair) for pair in pairwise(word)]
        ranked = [(entry[0], place) for place, entry in enumerate(found) if entry is not None]
        if not ranked:
            break
        place = min(ranked)[1]
        entry = found[place]
        assert entry is not None
        word[place : place + 2] = [entry[1]]
    return word


def merge_fast(symbols: Sequence[int], table: Mapping[Pair, Ranked]) -> list[int]:
    """The same as `merge_textbook`, in time n log n.

    >>> merge_fast([1, 2, 1, 2, 3], {(1, 2): (0, 9), (9, 3): (1, 10)})
    [9, 10]
    """
    word: list[int | None] = list(symbols)
    after = [*range(1, len(word)), -1]
    before = [-1, *range(len(word) - 1)]
    waiting: list[tuple[float, int, int, int, int]] = []

    def offer(left: int, right: int) -> None:
        a, b = word[left], word[right]
        if a is not None and b is not None and (entry := table.get((a, b))) is not None:
            heapq.heappush(waiting, (entry[0], left, a, b, entry[1]))

    for left in range(len(word) - 1):
        offer(left, left + 1)
    while waiting:
        _, left, a, b, product = heapq.heappop(waiting)
        right = after[left]
        if word[left] != a or right < 0 or word[right] != b:
            continue  # one of the two was merged since this was offered
        word[left], word[right] = product, None
        after[left] = after[right]
        if after[left] >= 0:
            before[after[left]] = left
            offer(left, after[left])
        if before[left] >= 0:
            offer(before[left], left)
    return [id for id in word if id is not None]
