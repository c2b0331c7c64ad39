"""Find all places where ids and their own encoding differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tokaudit.products.data.ids.counts.tally import Sign

SHOWN = 24  # ids of a difference
ALIKE = 4  # ids after which both go on alike


@dataclass(frozen=True, slots=True)
class Difference:
    """The sign of a text, and the first place where its ids differ from its encoding."""

    sign: Sign
    offset: int = 0
    ids: tuple[int, ...] = ()
    own: tuple[int, ...] = ()
    text: str = ""

    @property
    def stop(self) -> int:
        """Return the place after its ids."""
        return self.offset + len(self.ids)


def difference(ids: Sequence[int], own: Sequence[int]) -> Difference:
    """Return the first difference, up to where both continue alike.

    >>> found = difference([1, 5, 6, 2, 3], [1, 7, 2, 3])
    >>> found.offset, found.ids, found.own
    (1, (5, 6), (7,))
    """
    pairs = enumerate(zip(ids, own, strict=False))
    start = next((at for at, (a, b) in pairs if a != b), min(len(ids), len(own)))
    for length in range(1, SHOWN):
        for other in range(length + 1):
            for left, right in {(length, other), (other, length)}:
                after = tuple(ids[start + left : start + left + ALIKE])
                if after == tuple(own[start + right : start + right + ALIKE]):
                    mine = tuple(ids[start : start + left])
                    return Difference(Sign.OTHER, start, mine, tuple(own[start : start + right]))
    return Difference(
        Sign.OTHER, start, tuple(ids[start : start + SHOWN]), tuple(own[start : start + SHOWN])
    )


def differences(ids: Sequence[int], own: Sequence[int], most: int) -> list[Difference] | None:
    """Return every difference in order; None if there are more, or one does not end.

    >>> found = differences([1, 2, 3, 9, 9, 9, 9, 5], [7, 9, 9, 9, 9, 6], 9)
    >>> [(one.offset, one.ids) for one in found]
    [(0, (1, 2, 3)), (7, (5,))]
    """
    found: list[Difference] = []
    at, at_own = 0, 0
    while tuple(ids[at:]) != tuple(own[at_own:]):
        one = difference(ids[at:], own[at_own:])
        after, after_own = at + one.stop, at_own + one.offset + len(one.own)
        found.append(replace(one, offset=at + one.offset))
        if len(found) > most:
            return None
        rest, rest_own = ids[after : after + ALIKE], own[after_own : after_own + ALIKE]
        if tuple(rest) != tuple(rest_own):
            return None
        at, at_own = after, after_own
    return found
