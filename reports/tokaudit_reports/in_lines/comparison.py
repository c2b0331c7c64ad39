"""Draws a comparison in text: both sides, the facets as a table, then a text for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tokaudit.plugin import Comparison, Facet, Outcome, Report, cut, visible
from tokaudit_reports.arranged.comparison import (
    LEGEND,
    SIGNS,
    ComparisonView,
    FacetMatrix,
    FacetRow,
    facet_matrix,
    relation_signs,
)

if TYPE_CHECKING:
    from rich.text import Text

OUTCOME_STYLE = {
    Outcome.IDENTICAL: "green",
    Outcome.EQUIVALENT: "green",
    Outcome.UNDIFFERING: "blue",
    Outcome.DIFFERS: "red",
    Outcome.UNKNOWN: "yellow",
}
LONGEST_TEXT = 24  # characters of a text in the table; its card has it whole
LONGEST_REASON = 120


def side_lines(sides: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield the folder and file of each short name; none if the names are enough."""
    named = [(name, path) for name, path in sides if name != path]
    width = max((len(name) for name, _ in named), default=0)
    yield from (f"{name:{width}}  {path}" for name, path in named)


def facet_lines(view: ComparisonView) -> Iterator[Text]:
    """Yield a line for each facet that differs or is unknown, then the facets that are the same."""
    cells = map(_cells, view.rows)
    widths = [max(map(len, column), default=0) for column in zip(*cells, strict=True)]
    for row in view.rows:
        yield _row(row, widths)
    for outcome, facets in view.same:
        yield _same(outcome, facets)


def _cells(row: FacetRow) -> tuple[str, str]:
    return f"{row.facet.name}:", row.facet.outcome


def _row(row: FacetRow, widths: Sequence[int]) -> Text:
    from rich.text import Text

    name, outcome = _cells(row)
    line = Text(f"{name:{widths[0]}} ", "bold")
    line.append(f"{outcome:{widths[1]}}", OUTCOME_STYLE[row.facet.outcome])
    text = "" if row.text is None else f"“{cut(visible(row.text, spaces=True), LONGEST_TEXT)}”  "
    said = " ".join(visible(row.said).split())
    line.append(f"  {text}{cut(said, LONGEST_REASON)}")
    return line


def _same(outcome: Outcome, facets: Sequence[Facet]) -> Text:
    from rich.text import Text

    line = Text(f"{outcome} ({len(facets)}): ", OUTCOME_STYLE[outcome])
    line.append(", ".join(facet.name for facet in facets))
    return line


def is_shown_alone(comparison: Comparison) -> bool:
    """Return whether the shortest text of all is shown, as no facet has one."""
    return comparison.minimal is not None and not any(f.evidence for f in comparison.facets)


def matrix_lines(report: Report) -> Iterator[str]:
    """Yield each of more than two against each, and each facet against the first, as signs."""
    rows = list(relation_signs(report))
    margin = max(len(name) for name, _ in rows)
    yield "  ".join([" " * margin, *(f"{at:>2}" for at in range(1, len(rows) + 1))])
    for name, signs in rows:
        yield "  ".join([f"{name:{margin}}", *(f" {sign}" for sign in signs)])
    found = facet_matrix(report)
    yield from () if found is None else _facet_matrix(found)
    yield LEGEND


def _facet_matrix(found: FacetMatrix) -> Iterator[str]:
    if found.rows:
        yield ""
        yield f"each facet against 1 {found.names[0]}"
        margin = max(len(name) for name, _ in found.rows)
        numbers = (f"{at:>2}" for at in range(2, len(found.names) + 1))
        yield "  ".join([" " * margin, *numbers])
        for name, outcomes in found.rows:
            signs = (f" {SIGNS[each] if each else '-'}" for each in outcomes)
            yield "  ".join([f"{name:{margin}}", *signs])
    if found.same:
        yield f"differs in none: {', '.join(found.same)}"
