"""Figures with intervals: ratios of sums over paired samples, by seeded bootstrap."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter

SMALLEST_FOR_INTERVAL = 30
RESAMPLES = 400
NORMAL = 1.96  # standard deviations on either side of 95 %


def ratio_of_sums(tops: Sequence[float], bottoms: Sequence[float]) -> float:
    """Return the sum of the tops over the sum of the bottoms.

    >>> ratio_of_sums([2, 4], [1, 2])
    2.0
    """
    return sum(tops) / sum(bottoms)


def interval(
    tops: Sequence[float], bottoms: Sequence[float], seed: int = 0
) -> tuple[float, float] | None:
    """The 95 % percentile bootstrap interval of a ratio of sums; None below 30 samples
    and where a sample has nothing below the line.

    >>> interval([1.0] * 29, [1.0] * 29) is None
    True
    """
    n = len(tops)
    if n < SMALLEST_FOR_INTERVAL or min(bottoms) <= 0:
        return None
    ratios = sorted(sum(drawn(tops)) / sum(drawn(bottoms)) for drawn in _draws(n, seed))
    return ratios[int(0.025 * RESAMPLES)], ratios[int(0.975 * RESAMPLES) - 1]


def interval_of_median(ordered: Sequence[float]) -> tuple[float, float] | None:
    """Return the 95 % interval of a median by ranks; None below 30 sorted figures.

    >>> interval_of_median([float(n) for n in range(100)])
    (40.0, 59.0)
    """
    n = len(ordered)
    if n < SMALLEST_FOR_INTERVAL:
        return None
    lowest = int(n / 2 - 0.98 * n**0.5)
    return ordered[lowest], ordered[n - 1 - lowest]


def interval_of_rate(hits: int, n: int) -> tuple[float, float] | None:
    """Return the `wilson` interval to five digits; None below 30 samples.

    >>> interval_of_rate(0, 400)
    (0.0, 0.00951)
    >>> interval_of_rate(1, 2) is None
    True
    """
    if n < SMALLEST_FOR_INTERVAL:
        return None
    low, high = wilson(hits, n)
    return round(low, 5), round(high, 5)


def wilson(hits: int, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a share by Wilson; without hits it ends near 3.8 / n.

    >>> low, high = wilson(0, 1000)
    >>> low, round(high, 4)
    (0.0, 0.0038)
    """
    if not n:
        return 0.0, 1.0
    share, square = hits / n, NORMAL * NORMAL
    middle = share + square / (2 * n)
    spread = NORMAL * math.sqrt(share * (1 - share) / n + square / (4 * n * n))
    low, high = (middle - spread) / (1 + square / n), (middle + spread) / (1 + square / n)
    return (0.0 if hits == 0 else max(0.0, low)), (1.0 if hits == n else min(1.0, high))


@lru_cache(maxsize=16)
def _draws(n: int, seed: int) -> tuple[itemgetter[tuple[float, ...]], ...]:
    """Return getters that draw each resample of `n` samples; many figures share `n` and seed."""
    rng, positions = random.Random(seed), range(n)
    return tuple(itemgetter(*rng.choices(positions, k=n)) for _ in range(RESAMPLES))
