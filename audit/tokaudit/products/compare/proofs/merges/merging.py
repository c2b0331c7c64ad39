"""The checker's own merging: the best rank first, the leftmost of equals.

It shares nothing with the reference's, which the prover runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush

Ranked = tuple[float, int]  # rank, lower first, and what the two become


def merged(symbols: Sequence[int], table: Mapping[tuple[int, int], Ranked]) -> list[int]:
    """Merge until no two neighbours are in the table.

    Pairs wait in a heap, each with the two symbols that were there when it was put in: it counts
    only if they still are.

    >>> merged([1, 2, 1, 2, 3], {(1, 2): (0, 9), (9, 3): (1, 10)})
    [9, 10]
    """
    there = dict(enumerate(symbols))
    right = {at: at + 1 for at in there}
    left = {at + 1: at for at in there}

    def offer(at: int) -> tuple[float, int, int, tuple[int, int], int] | None:
        after = right.get(at, len(symbols))
        if at not in there or after not in there:
            return None
        pair = there[at], there[after]
        found = table.get(pair)
        return None if found is None else (found[0], at, after, pair, found[1])

    waiting = [found for at in there if (found := offer(at)) is not None]
    heapify(waiting)
    while waiting:
        _, at, after, pair, product = heappop(waiting)
        if right.get(at) != after or (there.get(at), there.get(after)) != pair:
            continue
        there[at] = product
        del there[after]
        beyond = right.pop(after)
        right[at], left[beyond] = beyond, at
        for each in (at, left.get(at, -1)):
            if (found := offer(each)) is not None:
                heappush(waiting, found)
    return [there[at] for at in sorted(there)]
