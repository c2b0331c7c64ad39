"""The outcomes as a table, and the share of findings that are repaired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tokaudit_remedies.judging import VERSIONS, Judge
from tokaudit_remedies.trying import WORKED, Outcome, TriedRepair
from tokaudit_tools import tables

DECIDED = (Outcome.BASE, Outcome.PERSON, Outcome.CHOICE)
"""Somebody decides these: they count in the share of all, and not in that of the decidable."""


def share(outcomes: Iterable[TriedRepair]) -> float:
    """The part of the findings that a program repairs, without those that somebody decides."""
    asked = [each for each in outcomes if each.outcome not in DECIDED]
    return sum(each.outcome in WORKED for each in asked) / len(asked) if asked else 1.0


def repaired_of_all(outcomes: Iterable[TriedRepair]) -> float:
    """The part of all findings that a program repairs, whoever decides the others."""
    found = [each.outcome in WORKED for each in outcomes]
    return sum(found) / len(found) if found else 1.0


def table(outcomes: Sequence[TriedRepair]) -> str:
    """A line for each outcome, a column for each source."""
    sources = list(dict.fromkeys(each.source for each in outcomes))
    counts = Counter((each.outcome, each.source) for each in outcomes)
    rows: list[tuple[object, ...]] = []
    for outcome in Outcome:
        cells = [counts[outcome, source] for source in sources]
        if any(cells):
            rows.append((outcome, *cells, sum(cells)))
    for name, part in (("repaired of all", repaired_of_all), ("repaired of the decidable", share)):
        shares = [part([e for e in outcomes if e.source == source]) for source in sources]
        shown = (f"{100 * each:.1f} %" for each in [*shares, part(outcomes)])
        rows.append((f"**{name}**", *shown))
    return tables.table(("outcome", *sources, "all"), rows)


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
    worked = Counter(each.judge or Judge.OWN for each in outcomes if each.outcome in WORKED)
    judges = tables.table(("judged by", "findings"), ((judge, worked[judge]) for judge in Judge))
    return PAGE.format(
        cases=cases,
        found=len(outcomes),
        table=table(outcomes),
        rest=rest,
        judges=judges,
        versions=" and ".join(VERSIONS),
    )


PAGE = """# Repairs, tried

What a finding says is to be done was done, by itself, in {cases} broken folders: the bad example
of each check, each documented defect, and a mutant for each operator. Each folder was audited again
with the check that reported and every check that starts no process. Of {found} findings:

{table}
*Repaired* means that the finding is gone, no error is new, and somebody else than the check that
asked agrees: the folder is the sound one again, or the automatic loaders of tokenizers, configs and
generation settings of {versions} load it and read the value that the repair wants. What none reads
is counted by itself, as *by our checks alone*. Where what is right is in none of the files, a base
or a person decides, and where two files differ, the choice between them is yours: these are in rows
of their own, and each alternative is judged by these loaders too. `make remedies` writes this page.

{judges}
## Not repaired

{rest}"""
