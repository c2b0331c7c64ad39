"""Audits a mutant next to its healthy folder, and says whether the named check saw the change."""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import tokaudit
from tokaudit.report.model import Finding, Severity
from tokaudit.report.report import Report
from tokaudit_mutants.mutant import Mutant, healthy
from tokaudit_mutants.operator import Operator
from tokaudit_scored.scorer import Key, added, audited, crashed, is_loud, known, worst

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
        report = audited(folder, folder if base else None)
    return known(report)


def score(mutant: Mutant, before: Known) -> Score:
    """Write, audit and judge one mutant."""
    operator = mutant.made_by
    with tempfile.TemporaryDirectory(prefix="tokaudit-mutants-") as scratch:
        folder, base = Path(scratch) / "mutant", Path(scratch) / "healthy"
        mutant.draft().write(folder)
        if operator.base:
            healthy(mutant.family).write(base)
        try:
            named = base if operator.base else None
            report = audited(folder, named, operator.checks, use=operator.use)
        except tokaudit.UnreadableError as error:
            return Score(mutant, "files/parse" in operator.checks, "refused", "error", str(error))
    words = 2 if operator.neutral else 3  # the message of the same finding may name another file
    new = added(report.findings, before[mutant.family, operator.base], words)
    return _quiet(mutant, new, report) if operator.neutral else _judged(mutant, operator, new)


def _judged(mutant: Mutant, operator: Operator, new: list[Finding]) -> Score:
    mine = [f for f in new if f.check in operator.checks]
    right = [f for f in mine if f.places and f.places[0].component in operator.blamed]
    shown = worst(right or mine)
    if shown is None:
        return Score(mutant, False)
    blamed = shown.places[0].component if shown.places else "nothing"
    said = f"blames {blamed}: {shown.message}"
    caught = bool(right) and is_loud(shown, operator.severity)
    return Score(mutant, caught, shown.check, str(shown.severity), said)


def _quiet(mutant: Mutant, new: list[Finding], report: Report) -> Score:
    """A neutral change is all right where nothing worse than information is new."""
    for check, _ in crashed(report):
        return Score(mutant, False, check, "error", "crashed")
    shown = worst(new)
    if shown is None or shown.severity is Severity.INFO:
        return Score(mutant, True)
    return Score(mutant, False, shown.check, str(shown.severity), shown.message)
