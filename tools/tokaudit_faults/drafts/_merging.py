"""Changes of the order of merges that some text shows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any

from tokaudit_faults.drafts._parts import needed

Pair = tuple[str, str]
FIRST = 100  # merges, of which one that is moved to the end is missed by many words


def exchange_competitors(pairs: Sequence[Pair], listed: list[Any], draw: Random) -> None:
    """Exchange two neighbours, of which one ends with what the other begins with."""
    places = [
        place
        for place, (one, other) in enumerate(pairwise(pairs))
        if one[1] == other[0] and _shown(pairs, place, one[0] + other[0] + other[1])
    ]
    place = draw.choice(needed(places))
    listed[place], listed[place + 1] = listed[place + 1], listed[place]


def _shown(pairs: Sequence[Pair], place: int, text: str) -> bool:
    changed = [*pairs[:place], pairs[place + 1], pairs[place], *pairs[place + 2 :]]
    return merged(text, pairs) != merged(text, changed)


def move_to_the_end(pairs: Sequence[Pair], listed: list[Any], draw: Random) -> None:
    """Move a merge without which, where it was, some entry is no longer made."""
    for place in draw.sample(range(FIRST), FIRST):
        changed = [*pairs[:place], *pairs[place + 1 :], pairs[place]]
        own = "".join(pairs[place])
        later = [left + right for left, right in pairs if own in left + right]
        if any(merged(text, pairs) != merged(text, changed) for text in later[:50]):
            listed.append(listed.pop(place))
            return
    needed(None)


def merged(text: str, pairs: Sequence[Pair]) -> list[str]:
    """The parts of a text after all merges, the lowest rank first.

    >>> merged("abc", [("b", "c"), ("a", "b")])
    ['a', 'bc']
    """
    ranks = {pair: rank for rank, pair in enumerate(pairs)}
    parts = list(text)
    while True:
        known = [(ranks[pair], at) for at, pair in enumerate(pairwise(parts)) if pair in ranks]
        if not known:
            return parts
        at = min(known)[1]
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
