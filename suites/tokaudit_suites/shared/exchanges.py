"""Tokens with swapped ids, as distinct from tokens that moved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

EXCHANGED = "exchanged"
Name = TypeVar("Name")
Moved = tuple[Name, int, int]  # a token, its id here and its id there


def exchanged_pairs(moved: Iterable[Moved[Name]]) -> list[tuple[Moved[Name], Moved[Name]]]:
    """Return the pairs of tokens that have each other's id, in order.

    >>> exchanged_pairs([("a", 1, 2), ("b", 2, 1), ("c", 3, 4)])
    [(('a', 1, 2), ('b', 2, 1))]
    """
    listed = list(moved)
    by_ids = {(here, there): each for each in listed for _, here, there in [each]}
    return [
        (each, by_ids[there, here])
        for each in listed
        for _, here, there in [each]
        if here < there and (there, here) in by_ids
    ]


def cause_of(moved: Sequence[Moved[Name]], otherwise: str) -> str:
    """Return the cause of moved tokens: swapped, if all of them have another's id.

    >>> cause_of([("a", 1, 2), ("b", 2, 1)], "ids"), cause_of([("a", 1, 2)], "ids")
    ('exchanged', 'ids')
    """
    return EXCHANGED if 2 * len(exchanged_pairs(moved)) == len(moved) > 0 else otherwise
