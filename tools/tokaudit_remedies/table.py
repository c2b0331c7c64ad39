"""The outcomes as a table, and the share of findings that are repaired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tokaudit_remedies.trying import Outcome, TriedRepair

DECIDED = (Outcome.BASE, Outcome.PERSON, Outcome.CHOICE, Outcome.BAD_CHOICE)
"""Somebody decides these, so they do not count in the share."""
WORKED = (Outcome.REPAIRED, Outcome.WARNED)


def share(outcomes: Iterable[TriedRepair]) -> float:
    """The part of the findings that a program repairs, without those that somebody decides."""
    asked = [each for each in outcomes if each.outcome not in DECIDED]
    return sum(each.outcome in WORKED for each in asked) / len(asked) if asked else 1.0


def table(outcomes: Sequence[TriedRepair]) -> str:
    """A line for each outcome, a column for each source."""
    sources = list(dict.fromkeys(each.case.source for each in outcomes))
    counts = Counter((each.outcome, each.case.source) for each in outcomes)
    lines = [f"| outcome | {' | '.join(sources)} | all |", "|---|" + "---|" * (len(sources) + 1)]
    for outcome in Outcome:
        cells = [counts[outcome, source] for source in sources]
        if any(cells):
            lines.append(f"| {outcome} | {' | '.join(map(str, cells))} | {sum(cells)} |")
    shares = [share([e for e in outcomes if e.case.source == source]) for source in sources]
    shown = " | ".join(f"{100 * each:.1f} %" for each in [*shares, share(outcomes)])
    return "\n".join([*lines, f"| **share repaired** | {shown} |"]) + "\n"


def unrepaired(outcomes: Iterable[TriedRepair]) -> str:
    """Each finding whose repair does not work, with the reason."""
    return "".join(
        f"{each.outcome}: {each.finding.identity} in {each.case.source} {each.case.name}: "
        f"{each.said or each.finding.message}\n"
        for each in outcomes
        if each.outcome not in (*WORKED, *DECIDED) or each.outcome is Outcome.BAD_CHOICE
    )
