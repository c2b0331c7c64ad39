"""Replaces a chart whose figures are all the same by a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from tokaudit.plugin import Cost, Entries

NEAREST = 0.005  # two decimals, as charts print ratios


def even_costs(costs: Sequence[Cost]) -> bool:
    """Return whether both sides take as many tokens in each language or domain that has a ratio.

    >>> even_costs([])
    False
    """
    ratios = [cost.ratio.value for cost in costs if cost.ratio]
    return bool(ratios) and all(abs(ratio - 1) < NEAREST for ratio in ratios)


def even_entries(rows: Sequence[Entries]) -> bool:
    """Return whether both vocabularies have every entry of every kind.

    >>> even_entries([Entries("Latin", 5, 0, 0)]), even_entries([Entries("Latin", 5, 0, 1)])
    (True, False)
    """
    return bool(rows) and not any(row.only_left or row.only_right for row in rows)


def even_sentence(costs: Sequence[Cost], what: str) -> str:
    """Return the sentence in place of a chart of ratios.

    >>> even_sentence([], "language")
    'Both take as many tokens in every language (0 compared).'
    """
    compared = sum(1 for cost in costs if cost.ratio)
    return f"Both take as many tokens in every {what} ({compared:,} compared)."
