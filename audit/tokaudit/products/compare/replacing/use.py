"""Use of a vocabulary by a corpus: unused entries, coverage and evenness."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate

from tokaudit.report.replacement import VocabularyUse

ALPHA = 2.5
POINTS = (10, 100, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000)


def vocabulary_use(entries: int, used: Mapping[int, int]) -> VocabularyUse:
    """Return the use of a vocabulary with this many entries, by counts of ids.

    >>> found = vocabulary_use(4, {0: 2, 1: 1, 3: 1})
    >>> found.never, found.once, found.tokens, found.coverage
    (1, 2, 4, ((3, 1.0),))
    """
    counts = sorted((count for count in used.values() if count), reverse=True)
    tokens = sum(counts)
    once = sum(count == 1 for count in counts)
    never = max(0, entries - len(counts))
    efficiency = renyi_efficiency(counts, entries)
    return VocabularyUse(entries, never, once, tokens, efficiency, _coverage(counts, tokens))


def renyi_efficiency(counts: Sequence[int], entries: int) -> float | None:
    """Return the Rényi entropy of the unigram distribution, relative to an even one.

    H_alpha(p) = ln(sum of p^alpha) / (1 - alpha), divided by ln(entries), as in
    Tokenization and the Noiseless Channel (ACL 2023), which finds alpha = 2.5 best.

    >>> renyi_efficiency([5, 5, 5, 5], 4)
    1.0
    """
    total = sum(counts)
    if not total or entries < 2:
        return None
    powers = math.fsum((count / total) ** ALPHA for count in counts)
    return math.log(powers) / (1 - ALPHA) / math.log(entries)


def _coverage(counts: Sequence[int], tokens: int) -> tuple[tuple[int, float], ...]:
    """Return the share of tokens that the most used entries cover, at round numbers."""
    if not counts:
        return ()
    sums = list(accumulate(counts))
    points = [*(point for point in POINTS if point < len(sums)), len(sums)]
    return tuple((point, sums[point - 1] / tokens) for point in points)
