"""Result of a repair: repaired, remaining and new findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tokaudit.engine.outcome.verdict import exit_code
from tokaudit.products.fix.planning import findings_of
from tokaudit.report.model import Finding, Severity
from tokaudit.report.repair import Change
from tokaudit.report.report import Report


@dataclass(frozen=True)
class Fixed:
    """The patch, the reports before and after, and the repaired copy if written.

    `refused` says which changes could not be carried out, and `circles` whether the repairs of
    two findings undo each other, so that no more rounds were tried.
    """

    patch: str
    before: Report
    after: Report
    changes: tuple[Change, ...] = ()
    written: Path | None = None
    refused: tuple[str, ...] = ()
    circles: bool = False

    @property
    def ok(self) -> bool:
        """Return whether the repaired copy passes."""
        return self.after.ok

    @property
    def exit_code(self) -> int:
        """Return the exit code of an audit of the repaired copy."""
        return exit_code(self.after, str(Severity.ERROR))

    @property
    def repaired(self) -> tuple[Finding, ...]:
        """Return the errors and warnings that are gone."""
        return _without(findings_of(self.before), findings_of(self.after))

    @property
    def left(self) -> tuple[Finding, ...]:
        """Return the errors and warnings of the repaired copy, the worst first."""
        return tuple(findings_of(self.after))

    @property
    def new(self) -> tuple[Finding, ...]:
        """Return the errors that only the repaired copy has."""
        errors = (f for f in findings_of(self.after) if f.severity is Severity.ERROR)
        return _without(errors, findings_of(self.before))

    def __repr__(self) -> str:
        return (
            f"<Fixed: {len(self.changes)} changes, {len(self.repaired)} repaired, "
            f"{len(self.left)} left, {len(self.new)} new>"
        )


def _without(some: Iterable[Finding], others: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings with fewer counterparts in the others, by check and cause."""
    left = Counter(finding.identity for finding in others)
    found = []
    for finding in some:
        left[finding.identity] -= 1
        if left[finding.identity] < 0:
            found.append(finding)
    return tuple(found)


def why_left(finding: Finding) -> str:
    """Explain why no program repaired a finding, and what to do instead."""
    repair = finding.repair
    if repair is None:
        return finding.remedy
    if repair.decided_by is not None:
        return f"a {repair.decided_by} decides: {repair.reason}. {finding.remedy}"
    if repair.choice:
        return "choose: " + "; or ".join(each.wanted_by for each in repair.choice)
    lines = [change.command for change in repair.changes if change.command]
    return f"type: {' && '.join(lines)}" if lines else f"not carried out: {finding.remedy}"
