"""Detect a list that is in order except for a few items, which were swapped."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import islice
from operator import le

FEW = 0.1  # a convention counts as one when nine in ten items keep it
ENOUGH = 20  # and when there are at least so many items


def out_of_order(values: Sequence[float]) -> list[int]:
    """Return positions outside one longest non-decreasing run: the fewest that must have moved.

    >>> out_of_order([1, 2, 9, 4, 5])
    [2]
    """
    if all(map(le, values, islice(values, 1, None))):  # as in most vocabularies
        return []
    tails: list[float] = []
    places: list[int] = []
    before: list[int] = []
    for position, value in enumerate(values):
        at = bisect_right(tails, value)
        before.append(places[at - 1] if at else -1)
        tails[at : at + 1] = [value]
        places[at : at + 1] = [position]
    kept = set()
    at = places[-1] if places else -1
    while at >= 0:
        kept.add(at)
        at = before[at]
    return [position for position in range(len(values)) if position not in kept]


def few_exceptions(values: Sequence[float]) -> list[int] | None:
    """Return the exceptions to an order that otherwise ascends; None if it does not."""
    if len(values) < ENOUGH:
        return None
    moved = out_of_order(values)
    return moved if len(moved) <= FEW * len(values) else None
