"""Builds the matrix of a comparison of runtimes: a row for each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tokaudit.plugin import Comparison, Outcome, Report, RuntimeRecord, RuntimeSpeed, RuntimeState

HEADING = "Runtimes"


class RuntimeRow(NamedTuple):
    """The cells of a table about one runtime; every cell is a text."""

    runtime: str
    state: str
    texts: str
    other_ids: str
    differs_in: str
    not_tried: str
    real_text: str
    speed: str
    unicode: str


def runtime_rows(report: Report) -> list[RuntimeRow]:
    """A row for each runtime that was asked; none in any other report."""
    return [_row(each, each.runtime) for each in report.comparisons if each.runtime is not None]


def runtime_lines(report: Report) -> Iterator[str]:
    """Yield the table as lines for a terminal, with the cause under a runtime without results."""
    rows = runtime_rows(report)
    if not rows:
        return
    yield from ("", HEADING)
    names = max(len(row.runtime) for row in rows)
    for row in rows:
        line = f"  {row.runtime:{names}}  {row.state}"
        if row.texts != "0":
            line += f", {row.other_ids} of {row.texts} texts get different ids"
        if row.real_text:
            line += f"; of real text {row.real_text}"
        if row.differs_in:
            line += f": {row.differs_in}"
        if row.not_tried:
            line += f"; not tried: {row.not_tried}"
        if row.speed:
            line += f"; {row.speed}"
        if row.unicode:
            line += f"; {row.unicode}"
        yield line


def is_told_by_its_row(comparison: Comparison) -> bool:
    """Return whether the row is enough: the runtime agrees on every facet it was tried on."""
    runtime = comparison.runtime
    return (
        runtime is not None and runtime.state is RuntimeState.AGREES and not comparison.corpus[1:]
    )


def _row(comparison: Comparison, runtime: RuntimeRecord) -> RuntimeRow:
    differing = [f.name for f in comparison.facets if f.outcome is Outcome.DIFFERS]
    return RuntimeRow(
        comparison.right,
        runtime.state,
        f"{comparison.texts:,}",
        f"{comparison.different:,}",
        ", ".join(differing) or runtime.why,
        "; ".join(_not_tried(comparison)),
        _share(comparison),
        _speed(runtime.speed),
        runtime.unicode,
    )


def _not_tried(comparison: Comparison) -> Iterator[str]:
    """Yield facets in which a runtime could not be tried, with the reasons."""
    if comparison.texts:
        for facet in comparison.facets:
            if facet.outcome is Outcome.UNKNOWN:
                yield f"{facet.name} ({facet.why})"


def _share(comparison: Comparison) -> str:
    """Return the share of the built-in text that differs, all languages together."""
    if not comparison.corpus:
        return ""
    whole = comparison.corpus[0]
    return f"{whole.different / max(1, whole.documents):.1%}"


def _speed(speed: RuntimeSpeed | None) -> str:
    if speed is None:
        return ""
    parts = (("one text", speed.single), ("a batch", speed.batch), ("a long text", speed.long))
    said = ", ".join(f"{value / 1e6:.2f} of {name}" for name, value in parts if value)
    return f"million characters a second: {said} ({speed.ratio:.2g} times the reference)"
