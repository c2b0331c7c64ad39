"""The outcomes as a table, and the share of findings that are repaired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tokaudit_remedies.trying import Outcome, TriedRepair

DECIDED = (Outcome.BASE, Outcome.PERSON, Outcome.CHOICE)
"""Somebody decides these, so they do not count in the share."""
WORKED = (Outcome.REPAIRED, Outcome.WARNED)


def share(outcomes: Iterable[TriedRepair]) -> float:
    """The part of the findings that a program repairs, without those that somebody decides."""
    asked = [each for each in outcomes if each.outcome not in DECIDED]
    return sum(each.outcome in WORKED for each in asked) / len(asked) if asked else 1.0


def table(outcomes: Sequence[TriedRepair]) -> str:
    """A line for each outcome, a column for each source."""
    sources = list(dict.fromkeys(each.source for each in outcomes))
    counts = Counter((each.outcome, each.source) for each in outcomes)
    lines = [f"| outcome | {' | '.join(sources)} | all |", "|---|" + "---|" * (len(sources) + 1)]
    for outcome in Outcome:
        cells = [counts[outcome, source] for source in sources]
        if any(cells):
            lines.append(f"| {outcome} | {' | '.join(map(str, cells))} | {sum(cells)} |")
    shares = [share([e for e in outcomes if e.source == source]) for source in sources]
    shown = " | ".join(f"{100 * each:.1f} %" for each in [*shares, share(outcomes)])
    return "\n".join([*lines, f"| **share repaired** | {shown} |"]) + "\n"


def unrepaired(outcomes: Iterable[TriedRepair]) -> str:
    """Each finding whose repair does not work, with the reason."""
    return "".join(
        f"{each.outcome}: {each.finding} in {each.source} {each.case}: {each.said}\n"
        for each in outcomes
        if each.outcome not in (*WORKED, *DECIDED)
    )


def page(outcomes: Sequence[TriedRepair], cases: int) -> str:
    """The page of the docs: the table, and each finding whose repair does not work."""
    lines = [f"* {line}\n" for line in unrepaired(outcomes).splitlines()]
    rest = "".join(lines) or "There is none.\n"
    return PAGE.format(cases=cases, found=len(outcomes), table=table(outcomes), rest=rest)


PAGE = """# Repairs, tried

What a finding says is to be done was done, by itself, in {cases} broken folders: the bad example
of each check, each documented defect, and a mutant for each operator. Each folder was audited again
with the check that reported and every check that starts no process. Of {found} findings:

{table}
*Repaired* means that the finding is gone and no error is new. Where what is right is in none of
the files, a base or a person decides, and where two files differ, the choice between them is yours:
these are in rows of their own and not in the share. `make remedies` writes this page.

## Not repaired

{rest}"""
