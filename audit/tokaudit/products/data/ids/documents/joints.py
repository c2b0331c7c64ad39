"""Places where two texts meet without an end between them.

There the ids of both are right, and those of the joined text are others.  At such a place the ids
are those of the text before it and of the text after it, each encoded alone.  A tokenizer that
lacks merges splits in the same way, at more places and always at the same tokens: joints are few,
and their tokens are counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from tokaudit.products.data.ids.documents.differing import Difference
from tokaudit.products.data.ids.documents.reading import own_ids
from tokaudit.runtimes.protocol import Tokenizer

SPACING = 64  # ids of the shortest texts that are believed to be joined
CONTEXT = 24  # ids on either side of a difference that are encoded with it
COMPARED = 2  # of these next to the joint


@dataclass(frozen=True, slots=True)
class Halves:
    """Ids before and after a joint, and how many next to it must match."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    compared: tuple[int, int]


def most_joints(length: int) -> int:
    """Return the limit of joints for this many ids.

    >>> most_joints(1024), most_joints(20)
    (16, 1)
    """
    return max(1, length // SPACING)


def are_joints(tokenizer: Tokenizer, ids: Sequence[int], found: Sequence[Difference]) -> bool:
    """Return whether the ids on both sides of each difference are their own encodings."""
    tried = [list(_halves(ids, one)) for one in found]
    parts = [part for halves in tried for each in halves for part in (each.before, each.after)]
    own = iter(own_ids(tokenizer, parts))
    for halves in tried:
        answers = [(next(own), next(own)) for _ in islice(halves, len(halves))]
        if not any(map(_comes_back, halves, answers)):
            return False
    return True


def _halves(ids: Sequence[int], one: Difference) -> list[Halves]:
    start, stop = max(0, one.offset - CONTEXT), one.stop + CONTEXT
    return [
        Halves(
            tuple(ids[start:at]),
            tuple(ids[at:stop]),
            (
                min(at - start, at - one.offset + COMPARED),
                min(len(ids) - at, one.stop - at + COMPARED),
            ),
        )
        for at in range(max(1, one.offset), min(one.stop, len(ids) - 1) + 1)
    ]


def _comes_back(halves: Halves, own: tuple[Sequence[int] | None, Sequence[int] | None]) -> bool:
    (before, after), (left, right) = own, halves.compared
    if before is None or after is None:
        return False
    same = tuple(before[len(before) - left :]) == halves.before[len(halves.before) - left :]
    return same and tuple(after[:right]) == halves.after[:right]
