"""A ratio of sums with its interval, from whole numbers that add up in any order."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

SMALLEST_FOR_INTERVAL = 30  # documents
NORMAL = 1.96  # standard deviations on either side of 95 %


@dataclass
class RatioSums:
    """Sums to compute a ratio and its variance from."""

    n: int = 0
    top: int = 0
    bottom: int = 0
    top_squares: int = 0
    bottom_squares: int = 0
    products: int = 0

    def take(self, top: int, bottom: int) -> None:
        """Count a document."""
        self.add(RatioSums(1, top, bottom, top * top, bottom * bottom, top * bottom))

    def add(self, other: RatioSums) -> None:
        """Add the documents of another piece."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

    @property
    def value(self) -> float:
        """Return the ratio; 0 if the denominator is 0."""
        return self.top / self.bottom if self.bottom else 0.0

    @property
    def interval(self) -> tuple[float, float] | None:
        """Return the 95 % interval by the delta method; None below 30 documents.

        >>> sums = RatioSums()
        >>> for n in range(100):
        ...     sums.take(4 + n % 2, 1)
        >>> sums.value, [round(end, 2) for end in sums.interval]
        (4.5, [4.4, 4.6])
        """
        if self.n < SMALLEST_FOR_INTERVAL or not self.bottom:
            return None
        # The sum of (top - ratio * bottom) squared, in whole numbers as long as that goes.
        squares = (
            self.top_squares * self.bottom**2
            - 2 * self.products * self.top * self.bottom
            + self.bottom_squares * self.top**2
        )
        spread = NORMAL * math.sqrt(squares * self.n / (self.n - 1)) / self.bottom**2
        return max(0.0, self.value - spread), self.value + spread
