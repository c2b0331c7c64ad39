"""Select the changes of a report to apply together: no overlaps, the worst first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tokaudit.report.model import Finding, Severity
from tokaudit.report.repair import Change, ChangeKind
from tokaudit.report.report import Report

Place = tuple[str, str]
OF_BASE = "baseline/"  # checks whose repairs are what the base has


@dataclass(frozen=True)
class PlannedRepair:
    """A finding and the changes that repair it."""

    finding: Finding
    changes: tuple[Change, ...]


def findings_of(report: Report) -> list[Finding]:
    """Return the errors and warnings of a report with their checks, the worst first."""
    every = [
        replace(finding, check=result.check)
        for result in report.results
        for finding in result.findings
        if finding.severity is not Severity.INFO
    ]
    return sorted(every, key=lambda finding: finding.severity is not Severity.ERROR)


def planned(report: Report) -> tuple[PlannedRepair, ...]:
    """Plan the repairs of one round; an overlapping change waits for the next.

    What the base decides goes first, as the other files of the folder are no witnesses against it.
    """
    taken: dict[Place, Change] = {}
    found = []
    for finding in sorted(findings_of(report), key=lambda each: not _by_base(each)):
        changes = _by_program(finding)
        if changes and not any(_meets(change, taken) for change in changes):
            taken |= {(change.file, change.pointer): change for change in changes}
            found.append(PlannedRepair(finding, changes))
    return tuple(found)


def _by_base(finding: Finding) -> bool:
    return any(change.from_base for change in _by_program(finding)) or (
        finding.check.startswith(OF_BASE) and bool(_by_program(finding))
    )


def _by_program(finding: Finding) -> tuple[Change, ...]:
    """Return the changes of a finding, if they only change files."""
    repair = finding.repair
    changes = repair.changes if repair is not None else ()
    return () if any(each.kind is ChangeKind.RUN for each in changes) else changes


def _meets(change: Change, taken: dict[Place, Change]) -> bool:
    """Return whether a different change is at, above or below the place."""
    for (file, pointer), other in taken.items():
        near = _inside(pointer, change.pointer) or _inside(change.pointer, pointer)
        if file == change.file and near and not _alike(other, change):
            return True
    return False


def _inside(pointer: str, other: str) -> bool:
    return pointer == other or other == "" or pointer.startswith(other + "/")


def _alike(one: Change, other: Change) -> bool:
    same = (one.kind, one.pointer, repr(one.wanted), one.source, one.source_pointer)
    return same == (
        other.kind,
        other.pointer,
        repr(other.wanted),
        other.source,
        other.source_pointer,
    )


def once(plans: Sequence[PlannedRepair]) -> Iterator[Change]:
    """Yield each change of some plans once."""
    seen: list[Change] = []
    for plan in plans:
        for change in plan.changes:
            if not any(change.file == each.file and _alike(change, each) for each in seen):
                seen.append(change)
                yield change
