"""Figures with intervals: ratios of sums over paired samples, by seeded bootstrap."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache

SMALLEST_FOR_INTERVAL = 30
RESAMPLES = 400


def ratio_of_sums(tops: Sequence[float], bottoms: Sequence[float]) -> float:
    """The sum of the tops over the sum of the bottoms.

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
    top, bottom = tops.__getitem__, bottoms.__getitem__
    ratios = sorted(sum(map(top, drawn)) / sum(map(bottom, drawn)) for drawn in _draws(n, seed))
    return ratios[int(0.025 * RESAMPLES)], ratios[int(0.975 * RESAMPLES) - 1]


def interval_of_median(ordered: Sequence[float]) -> tuple[float, float] | None:
    """The 95 % interval of a median by ranks, of figures in order; None below 30 of them.

    >>> interval_of_median([float(n) for n in range(100)])
    (40.0, 59.0)
    """
    n = len(ordered)
    if n < SMALLEST_FOR_INTERVAL:
        return None
    lowest = int(n / 2 - 0.98 * n**0.5)
    return ordered[lowest], ordered[n - 1 - lowest]


def interval_of_rate(hits: int, n: int) -> tuple[float, float] | None:
    """The 95 % interval of a share by Wilson, which stays within 0 and 1; None below 30 samples.

    >>> interval_of_rate(0, 400)
    (0.0, 0.00951)
    >>> interval_of_rate(1, 2) is None
    True
    """
    if n < SMALLEST_FOR_INTERVAL:
        return None
    z, share = 1.96, hits / n
    middle = share + z * z / (2 * n)
    half = z * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    low, high = (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)
    return round(max(0.0, low), 5), round(min(1.0, high), 5)


@lru_cache(maxsize=16)
def _draws(n: int, seed: int) -> tuple[list[int], ...]:
    """The positions that each resample of `n` samples draws; many figures share `n` and seed."""
    rng, positions = random.Random(seed), range(n)
    return tuple(rng.choices(positions, k=n) for _ in range(RESAMPLES))
