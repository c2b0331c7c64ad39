"""Two tokenizers side by side in lines: the ends of long tables, and domains whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokaudit.plugin import Cost, Entries, Rate, SideBySide
from tokaudit_reports.arranged.order import labelled, rate
from tokaudit_reports.charts.even import even_costs, even_entries, even_sentence

ENDS = 3  # languages shown at either end
ROWS = 6  # scripts shown


def side_by_side_lines(found: SideBySide, left: str, right: str) -> Iterator[str]:
    """Yield the lines that fit a terminal; the page and the JSON have everything."""
    ranked = sorted(
        (cost for cost in found.languages if cost.ratio), key=lambda cost: _value(cost.ratio)
    )
    if even_costs(found.languages):
        yield even_sentence(found.languages, "language")
    elif ranked:
        yield f"tokens in {right} for each in {left}, by language:"
        yield f"  fewest: {_ratios(ranked[:ENDS])}"
        yield f"  most: {_ratios(ranked[: -ENDS - 1 : -1])} (of {len(ranked)})"
    if even_costs(found.domains):
        yield even_sentence(found.domains, "domain")
    for cost in () if even_costs(found.domains) else found.domains:
        if cost.left and cost.right:
            yield (
                f"tokens per character, {cost.name}: {left} {rate(cost.left)}, "
                f"{right} {rate(cost.right)}"
            )
    for what, rows in (("script", found.by_script), ("length", found.by_length)):
        if rows and not even_entries(rows):
            yield f"vocabulary by {what}, in both + only {left} + only {right}:"
            yield f"  {_entries(rows)}"


def _ratios(costs: Sequence[Cost]) -> str:
    return ", ".join(f"{cost.name} {rate(cost.ratio)}" for cost in costs)


def _value(rate: Rate | None) -> float:
    return rate.value if rate else 0.0


def _entries(rows: Sequence[Entries]) -> str:
    shown = [
        labelled(row.kind, f"{row.shared:,} + {row.only_left:,} + {row.only_right:,}")
        for row in rows[:ROWS]
    ]
    more = f"; {len(rows) - ROWS} more" if len(rows) > ROWS else ""
    return "; ".join(shown) + more
