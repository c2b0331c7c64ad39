"""Builds what a recipe describes, audits it, and says whether the named check saw the defect."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import tokaudit
from tokaudit.engine.check import all_checks
from tokaudit.report.model import Finding, Severity, Status
from tokaudit.report.report import Report
from tokaudit_defects.recipe import Recipe, Writer

COSTLY = ("fertility", "throughput")  # about text, not about defects


@dataclass(frozen=True, slots=True)
class Score:
    """What an audit of one recipe showed; `finding` is the worst of those that the break added.

    `elsewhere` names the checks that said something new without being the ones asked for.
    """

    recipe: Recipe
    verdict: str
    finding: Finding | None
    elsewhere: tuple[str, ...] = ()
    trouble: str = ""

    def caught(self, catalogue_severity: str) -> bool:
        """Whether the named check spoke as loudly as the harm deserves."""
        if self.finding is None:
            return False
        loud = self.finding.severity.rank <= Severity(self.recipe.severity).rank
        return loud and not (catalogue_severity == "critical" and self.verdict == "pass")


class Scorer:
    """Scores recipes; a healthy folder that several share is audited once."""

    def __init__(self, *, whole: bool = True) -> None:
        """`whole` asks every check, instead of those that the recipe names."""
        self._whole = whole
        self._known = {check.id for check in all_checks()}
        self._healthy: dict[tuple[Writer, bool, tuple[str, ...]], Report] = {}

    def score(self, recipe: Recipe) -> Score:
        """Audit a healthy folder and a broken copy of it."""
        named = tuple(check for check in recipe.checks if check in self._known)
        if not named:
            return Score(recipe, "", None, trouble="no such check")
        asked = () if self._whole else named
        with tempfile.TemporaryDirectory(prefix="tokaudit-defects-") as scratch:
            healthy, broken = Path(scratch) / "healthy", Path(scratch) / "broken"
            for folder in (healthy, broken):
                recipe.healthy(folder)
            recipe.break_it(broken)
            known = (recipe.healthy, recipe.base, asked)
            if known not in self._healthy:
                self._healthy[known] = _audited(recipe, healthy, healthy, asked)
            after = _audited(recipe, broken, healthy, asked, recipe.against)
        return judged(recipe, self._healthy[known], after)


def _audited(
    recipe: Recipe, folder: Path, base: Path, asked: tuple[str, ...], against: str = ""
) -> Report:
    return tokaudit.audit(
        folder,
        tier="quick",
        base=base if recipe.base else None,
        against=against or None,
        select=asked,
        ignore=() if asked else COSTLY,
    )


def judged(recipe: Recipe, before: Report, after: Report) -> Score:
    """The worst finding of the named checks that only the broken folder has."""
    always = {key(finding) for finding in _findings(before)}
    if recipe.break_it.__doc__ and recipe.break_it.__doc__.startswith("Nothing is broken"):
        always = set()
    new = [finding for finding in _findings(after) if key(finding) not in always]
    mine = [finding for finding in new if finding.check in recipe.checks]
    worst = min(mine, key=lambda finding: finding.severity.rank, default=None)
    others = {f.check for f in new if f.check not in recipe.checks and f.severity != Severity.INFO}
    crashed = [f"{r.check}: {r.reason}" for r in after.results if r.status is Status.CRASHED]
    return Score(recipe, str(after.verdict), worst, tuple(sorted(others)), "; ".join(crashed))


def key(finding: Finding) -> tuple[str, str, str]:
    """What makes two findings of two folders the same."""
    return finding.check, finding.cause, finding.message


def _findings(report: Report) -> Iterable[Finding]:
    return (finding for result in report.results for finding in result.findings)
