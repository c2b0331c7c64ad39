"""Arranges the results of `compare --for replacing`, for the page and for a model card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tokaudit.plugin import Cost, PairedFigure, Rate, Replacement, VocabularyUse
from tokaudit.report.sentences.of_comparison import labels
from tokaudit.report.sentences.of_replacement import totals
from tokaudit_reports.arranged.order import rate

Coverage = tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class CoverageRow:
    """The share of tokens from a number of entries, on both sides, as texts."""

    entries: int
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Ranked:
    """One of several tokenizers, by its tokens for each token of the first."""

    name: str
    ratio: Rate | None
    bytes_per_token: Rate | None
    use: VocabularyUse
    rows: int
    time: Rate | None


def ranking(found: Sequence[Replacement]) -> list[Ranked]:
    """Rank all tokenizers by tokens on the corpus, the fewest first; lossy ones come last."""
    if not found:
        return []
    names = labels([found[0].left, *(each.right for each in found)])
    one = found[0]
    rows = [_ranked(names[0], one, 0, Rate(1.0))]
    rows += [
        _ranked(name, each, 1, totals(each)) for name, each in zip(names[1:], found, strict=True)
    ]
    return sorted(rows, key=lambda row: (row.ratio is None, row.ratio.value if row.ratio else 0.0))


def _ranked(name: str, found: Replacement, side: int, ratio: Rate | None) -> Ranked:
    size = found.figure("bytes_per_token")
    rate = None if size is None or len(found.corpus) > 1 else (size.left, size.right)[side]
    lost = found.figure("tokens")
    kept = lost is not None and (lost.left, lost.right)[side] is not None
    return Ranked(
        name,
        ratio if kept else None,
        rate,
        found.uses[side],
        found.rows.rows[side],
        found.times[side],
    )


def ranking_table(found: Sequence[Replacement], escape: Callable[[str], str]) -> Iterator[str]:
    """The ranking as a table of Markdown.

    Nothing where there are only two, which their own table compares.
    """
    if len(found) < 2:
        return
    yield "| Tokenizer | Tokens to the first's | Bytes per token | Entries | Never used | Time |"
    yield "|---|---|---|---|---|---|"
    for row in ranking(found):
        figures = (rate(row.ratio), rate(row.bytes_per_token) if row.bytes_per_token else "")
        counts = (f"{row.use.entries:,}", f"{row.use.never:,}")
        cells = (escape(row.name), *figures, *counts, rate(row.time) if row.time else "")
        yield f"| {' | '.join(cells)} |"


def short_names(found: Replacement) -> list[str]:
    """The names of both sides, as short as they can be while they differ."""
    return labels([found.left, found.right])


def costs_of(figures: Sequence[PairedFigure], kind: str) -> list[Cost]:
    """Return the tokens by language or domain, in the form of a chart of costs."""
    return [
        Cost(each.texts["key"], each.texts["name"], each.documents, ratio=each.ratio)
        for each in figures
        if each.key == "tokens" and each.texts["kind"] == kind and each.ratio
    ]


def coverage_rows(both: Sequence[Coverage]) -> list[CoverageRow]:
    """Return the rows by round numbers of entries; a side with fewer entries is whole.

    >>> coverage_rows([((10, 0.5), (20, 1.0)), ((10, 0.4), (100, 0.9), (130, 1.0))])
    [CoverageRow(entries=10, left='50 %', right='40 %'), CoverageRow(entries=100, left='100 %', \
right='90 %')]
    """
    points = sorted({entries for side in both for entries, _ in side[:-1]})
    shares = [dict(side) for side in both]
    return [
        CoverageRow(at, *(f"{100 * side.get(at, 1.0):.0f} %" for side in shares)) for at in points
    ]


def model_card(found: Replacement, escape: Callable[[str], str]) -> Iterator[str]:
    """The corpus' figures as a table of Markdown."""
    yield "| Figure | Texts | First | Second | Ratio |"
    yield "|---|---|---|---|---|"
    for figure in found.figures:
        if figure.texts["kind"] != "language" or figure.key == "tokens":
            cells = (found.titles[figure.key], escape(figure.texts["name"]))
            values = (figure.left, figure.right, figure.ratio)
            yield f"| {' | '.join((*cells, *(rate(each) if each else '' for each in values)))} |"
