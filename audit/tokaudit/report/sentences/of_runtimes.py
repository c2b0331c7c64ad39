"""First sentence of a report that compares runtimes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokaudit.report.comparison import Comparison, Outcome
from tokaudit.report.recorded import RuntimeState

if TYPE_CHECKING:
    from tokaudit.report.report import Report

NOTHING_GIVEN = (
    RuntimeState.CRASHES,
    RuntimeState.HANGS,
    RuntimeState.UNFINISHED,
    RuntimeState.REFUSES,
    RuntimeState.ABSENT,
)
MOST = 4  # runtimes of one state that are named


def runtimes_sentence(report: Report, compared: Sequence[Comparison]) -> str:
    """Count the runtimes that match the file, differ in some part, or gave no result."""
    states = [each.runtime.state for each in compared if each.runtime is not None]
    agreeing = states.count(RuntimeState.AGREES)
    many = "runtime" if len(states) == 1 else "runtimes"
    parts = [
        f"{agreeing} of {len(states)} {many} gave what the file of {report.subject.name} says on "
        "everything tried"
    ]
    differing = [_differing(each) for each in compared if _is(each, RuntimeState.DIFFERS)]
    parts += [f"these differ: {_some(differing)}"] if differing else []
    for state in NOTHING_GIVEN:
        names = [each.right for each in compared if _is(each, state)]
        parts += [f"{state}: {_some(names)}"] if names else []
    return "; ".join(parts)


def _is(comparison: Comparison, state: RuntimeState) -> bool:
    return comparison.runtime is not None and comparison.runtime.state is state


def _differing(comparison: Comparison) -> str:
    names = [facet.name for facet in comparison.facets if facet.outcome is Outcome.DIFFERS]
    return f"{comparison.right} ({', '.join(names)})"


def _some(names: Sequence[str]) -> str:
    more = [f"{len(names) - MOST} more"] if len(names) > MOST else []
    return ", ".join([*names[:MOST], *more])
