"""Arranges what `compare --for replacing` found, for the page and for a model card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokaudit.report.comparison import Cost
from tokaudit.report.replacement import PairedFigure, Replacement
from tokaudit.report.sentence_of_comparison import labels
from tokaudit_reports.terminal_replacement import rate

Coverage = tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class CoverageRow:
    """What share of the tokens so many entries make up, on both sides, as texts."""

    entries: int
    left: str
    right: str


def short_names(found: Replacement) -> list[str]:
    """The names of both sides, as short as they can be while they differ."""
    return labels([found.left, found.right])


def costs_of(figures: Sequence[PairedFigure], kind: str) -> list[Cost]:
    """The tokens by language or domain, as a chart of costs takes them."""
    return [
        Cost(each.texts["key"], each.texts["name"], each.documents, ratio=each.ratio)
        for each in figures
        if each.key == "tokens" and each.texts["kind"] == kind and each.ratio
    ]


def coverage_rows(both: Sequence[Coverage]) -> list[CoverageRow]:
    """The round numbers of entries that either side has; a side that has no more is whole.

    >>> coverage_rows([((10, 0.5), (20, 1.0)), ((10, 0.4), (100, 0.9), (130, 1.0))])
    [CoverageRow(entries=10, left='50 %', right='40 %'), CoverageRow(entries=100, left='100 %', \
right='90 %')]
    """
    points = sorted({entries for side in both for entries, _ in side[:-1]})
    shares = [dict(side) for side in both]
    return [
        CoverageRow(at, *(f"{100 * side.get(at, 1.0):.0f} %" for side in shares)) for at in points
    ]


def model_card(found: Replacement) -> Iterator[str]:
    """The corpus' figures as a table of Markdown; the caller escapes names."""
    yield "| Figure | Texts | First | Second | Ratio |"
    yield "|---|---|---|---|---|"
    for figure in found.figures:
        if figure.texts["kind"] != "language" or figure.key == "tokens":
            cells = (found.titles[figure.key], figure.texts["name"].replace("|", "¦"))
            values = (figure.left, figure.right, figure.ratio)
            yield f"| {' | '.join((*cells, *(rate(each) if each else '' for each in values)))} |"
