"""Find grammar values that some conversations have, and others do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from tokaudit.products.chat.rendering.grammar.features import NONE, Choice, plainest

MOST_TRIED = 6  # candidates of one fault, each a conversation that is rendered
Values = tuple[tuple[str, str], ...]


class ValueTable:
    """Conversations that have each value, as bits of a number."""

    def __init__(self, chosen: Sequence[Choice]) -> None:
        self.of: dict[tuple[str, str], int] = {}
        for place, values in enumerate(chosen):
            for value in values.items():
                if value[1] != NONE:
                    self.of[value] = self.of.get(value, 0) | 1 << place

    def bits_of(self, values: Choice) -> int:
        """Return the conversations that have all these values."""
        found = -1
        for value in values.items():
            found &= self.of.get(value, 0)
        return found

    def explaining(self, some: int, others: int) -> Iterator[Choice]:
        """Yield values, then pairs, that cover some conversations and none of the others."""
        left = some
        singles: dict[Values, int] = {(value,): bits for value, bits in self.of.items()}
        yield from _covering(singles, (left, others), MOST_TRIED)
        for values in [each for each, bits in singles.items() if not bits & others]:
            left &= ~singles[values]
        if left:
            pairs: dict[Values, int] = {
                (one, other): self.of[one] & self.of[other]
                for one, other in combinations(self.of, 2)
                if self.of[one] & left and self.of[other] & left and one[0] != other[0]
            }
            yield from _covering(pairs, (left, others), 2 * MOST_TRIED)


def _covering(values: Mapping[Values, int], rows: tuple[int, int], most: int) -> Iterator[Choice]:
    """Yield fitting values, the largest cover first, until all are covered."""
    left, others = rows
    fitting = {each: bits for each, bits in values.items() if bits & left and not bits & others}
    while left and fitting and most:
        best = max(fitting, key=lambda each: ((fitting[each] & left).bit_count(), _odd(each)))
        covered = fitting.pop(best) & left
        if not covered:
            return
        left, most = left & ~covered, most - 1
        yield dict(best)


def _odd(values: Values) -> int:
    """Count the values that are not the plainest, which explain more."""
    plain = plainest()
    return sum(plain[name] != value for name, value in values)
