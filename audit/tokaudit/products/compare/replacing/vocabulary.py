"""A vocabulary by itself: its use by a corpus, and the rows of the embedding that it needs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate

from tokaudit.engine.sides.side import Side
from tokaudit.report.replacement import ModelRows, VocabularyUse

ALPHA = 2.5
POINTS = (10, 100, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000)
MULTIPLES = (64, 128)


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


def model_rows(left: Side, right: Side, width: int) -> ModelRows:
    """Compare the embedding rows of both sides by their tokens.

    Tokens are compared by what they are, so that vocabularies of different formats can be.
    """
    ours, theirs = left.values, right.values
    kept = sum(theirs.get(id) == value for id, value in ours.items())
    both = {*ours.values()} & {*theirs.values()}
    again = sum(value in both for value in theirs.values())
    rows = rows_of(left), rows_of(right)
    return ModelRows(
        width=width,
        rows=rows,
        rounded=(_rounded(rows[0]), _rounded(rows[1])),
        kept=kept,
        moved=max(0, again - kept),
        gone=sum(value not in both for value in ours.values()),
        new=len(theirs) - again,
    )


def rows_of(side: Side) -> int:
    """Count the rows that the ids of a side need."""
    return max(side.values, default=-1) + 1


def _rounded(rows: int) -> tuple[int, int]:
    """Round the rows up to each multiple.

    >>> _rounded(50257)
    (50304, 50304)
    """
    first, second = (-(-rows // multiple) * multiple for multiple in MULTIPLES)
    return first, second
