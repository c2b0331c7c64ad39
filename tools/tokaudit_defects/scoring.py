"""Builds what a recipe describes, audits it, and says whether the named check saw the defect."""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tokaudit.engine.check import all_checks
from tokaudit.report.model import Finding, Severity
from tokaudit.report.report import Report
from tokaudit_defects.recipe import Recipe, Writer
from tokaudit_scored.scorer import Key, added, audited, crashed, is_loud, known, worst


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
        loud = is_loud(self.finding, self.recipe.severity)
        return loud and not (catalogue_severity == "critical" and self.verdict == "pass")


class Scorer:
    """Scores recipes; a healthy folder that several share is audited once."""

    def __init__(self, *, whole: bool = True) -> None:
        """`whole` asks every check, instead of those that the recipe names."""
        self._whole = whole
        self._known = {check.id for check in all_checks()}
        self._healthy: dict[tuple[Writer, bool, tuple[str, ...]], Counter[Key]] = {}

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
            base = healthy if recipe.base else None
            alone = (recipe.healthy, recipe.base, asked)
            if alone not in self._healthy:
                self._healthy[alone] = known(audited(healthy, base, asked))
            after = audited(broken, base, asked, recipe.against)
        return judged(recipe, self._healthy[alone], after)


def judged(recipe: Recipe, before: Counter[Key], after: Report) -> Score:
    """The worst finding of the named checks that only the broken folder has."""
    whole = (recipe.break_it.__doc__ or "").startswith("Nothing is broken")
    new = added(after.findings, Counter() if whole else before)
    mine = [finding for finding in new if finding.check in recipe.checks]
    others = {f.check for f in new if f.check not in recipe.checks and f.severity != Severity.INFO}
    trouble = "; ".join(f"{check}: {reason}" for check, reason in crashed(after))
    return Score(recipe, str(after.verdict), worst(mine), tuple(sorted(others)), trouble)
