"""Audits a mutant next to its healthy folder, and says whether the named check saw the change."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import tokaudit
from tokaudit.report.model import Finding, Severity, Status
from tokaudit.report.report import Report
from tokaudit_mutants.mutant import Mutant, healthy
from tokaudit_mutants.operator import Operator

COSTLY = ("fertility", "throughput")  # about text, not about defects
Key = tuple[str, str, str]
Known = dict[tuple[str, bool], Counter[Key]]


@dataclass(frozen=True)
class Score:
    """What the audit of one mutant showed; `check` names the worst of the findings that count."""

    mutant: Mutant
    caught: bool
    check: str = ""
    severity: str = ""
    said: str = ""


def known_of(family: str, base: bool) -> Counter[Key]:
    """What is said of the healthy folder, alone or as a base of itself."""
    with tempfile.TemporaryDirectory(prefix="tokaudit-mutants-") as scratch:
        folder = Path(scratch) / "healthy"
        healthy(family).write(folder)
        report = _audited(folder, folder if base else None, ())
    return Counter(map(key, report.findings))


def score(mutant: Mutant, known: Known) -> Score:
    """Write, audit and judge one mutant."""
    operator = mutant.made_by
    with tempfile.TemporaryDirectory(prefix="tokaudit-mutants-") as scratch:
        folder, base = Path(scratch) / "mutant", Path(scratch) / "healthy"
        mutant.draft().write(folder)
        if operator.base:
            healthy(mutant.family).write(base)
        try:
            report = _audited(folder, base if operator.base else None, operator.checks)
        except tokaudit.UnreadableError as error:
            return Score(mutant, "files/parse" in operator.checks, "refused", "error", str(error))
    words = 2 if operator.neutral else 3  # the message of the same finding may name another file
    new = _new(report.findings, known[mutant.family, operator.base], words)
    return _quiet(mutant, new, report) if operator.neutral else _judged(mutant, operator, new)


def _audited(folder: Path, base: Path | None, asked: tuple[str, ...]) -> Report:
    ignored = () if asked else COSTLY
    return tokaudit.audit(folder, tier="quick", base=base, select=asked, ignore=ignored)


def _new(findings: Iterable[Finding], known: Counter[Key], words: int) -> list[Finding]:
    """The findings of which there are more than were known, by so many words of their keys."""
    left = Counter(each[:words] for each in known.elements())
    new = []
    for finding in findings:
        left[key(finding)[:words]] -= 1
        if left[key(finding)[:words]] < 0:
            new.append(finding)
    return new


def _judged(mutant: Mutant, operator: Operator, new: list[Finding]) -> Score:
    mine = [f for f in new if f.check in operator.checks]
    right = [f for f in mine if f.places and f.places[0].component in operator.blamed]
    worst = min(right or mine, key=lambda f: f.severity.rank, default=None)
    if worst is None:
        return Score(mutant, False)
    loud = worst.severity.rank <= Severity(operator.severity).rank
    blamed = worst.places[0].component if worst.places else "nothing"
    said = f"blames {blamed}: {worst.message}"
    return Score(mutant, bool(right) and loud, worst.check, str(worst.severity), said)


def _quiet(mutant: Mutant, new: list[Finding], report: Report) -> Score:
    """A neutral change is all right where nothing worse than information is new."""
    crashed = [result.check for result in report.results if result.status is Status.CRASHED]
    if crashed:
        return Score(mutant, False, crashed[0], "error", "crashed")
    worst = min(new, key=lambda f: f.severity.rank, default=None)
    if worst is None or worst.severity is Severity.INFO:
        return Score(mutant, True)
    return Score(mutant, False, worst.check, str(worst.severity), worst.message)


def key(finding: Finding) -> Key:
    """What makes two findings of two folders the same."""
    return finding.check, finding.cause, finding.message
