"""Audits a folder with a fault next to a healthy one, and finds what is said of the fault alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import tokaudit
from tokaudit.report.model import Finding, Severity, Status
from tokaudit.report.report import Report

COSTLY = ("fertility", "throughput")  # about text, not about faults
Key = tuple[str, str, str]


def audited(
    folder: Path,
    base: Path | None = None,
    asked: Sequence[str] = (),
    against: str = "",
    use: str = "",
) -> Report:
    """A quick audit by the checks that are asked, else by all that judge."""
    return tokaudit.audit(
        folder,
        tier="quick",
        base=base,
        against=against or None,
        use=use or None,
        select=tuple(asked),
        ignore=() if asked else COSTLY,
    )


def key(finding: Finding) -> Key:
    """What makes two findings of two folders the same."""
    return finding.check, finding.cause, finding.message


def known(report: Report) -> Counter[Key]:
    """How often each finding is in a report."""
    return Counter(map(key, report.findings))


def added(findings: Iterable[Finding], before: Counter[Key], words: int = 3) -> list[Finding]:
    """The findings of which there are more than before, by so many words of their keys."""
    left = Counter[tuple[str, ...]]()
    for each, n in before.items():
        left[each[:words]] += n
    new = []
    for finding in findings:
        left[key(finding)[:words]] -= 1
        if left[key(finding)[:words]] < 0:
            new.append(finding)
    return new


def worst(findings: Iterable[Finding]) -> Finding | None:
    """The most severe finding, the first of several."""
    return min(findings, key=lambda finding: finding.severity.rank, default=None)


def is_loud(finding: Finding, severity: str) -> bool:
    """Whether a finding is at least as severe as that."""
    return finding.severity.rank <= Severity(severity).rank


def crashed(report: Report) -> list[tuple[str, str]]:
    """The checks that crashed, each with the reason."""
    return [(r.check, r.reason) for r in report.results if r.status is Status.CRASHED]
