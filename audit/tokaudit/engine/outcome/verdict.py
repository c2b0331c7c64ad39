"""Verdict: the claim that the checks' results allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from tokaudit.engine.check import Check, matches
from tokaudit.report.model import Basis, CheckResult, Severity, Status, Verdict
from tokaudit.report.report import Report
from tokaudit.subject.weights import NO_WEIGHTS, ONLY_POINTERS

TOKENIZER_ALONE = "no error was found in the tokenizer, but the weights were not examined: "
LACKING = (NO_WEIGHTS, ONLY_POINTERS)
NEVER = "never"  # in place of the severity that fails


def judge(
    results: Sequence[CheckResult], checks: Sequence[Check], require: tuple[str, ...]
) -> tuple[Verdict, str]:
    """Return the verdict and its reason, by precedence: fail, unverifiable, pass."""
    errors = [r for r in results if any(f.severity is Severity.ERROR for f in r.findings)]
    if errors:
        return Verdict.FAIL, "errors from " + ", ".join(r.check for r in errors)
    named = {c.id for c in checks if c.required or c.id in require}
    decided = {_suite(r) for r in results if r.status in (Status.PASSED, Status.FAILED)}
    open_ = [r for r in results if _is_open(r, named, require, decided)]
    if undecided := [said for name in require if (said := _undecided(name, results))]:
        return Verdict.UNVERIFIABLE, "; ".join(undecided)
    if open_:
        about_weights = {c.id for c in checks if c.basis == (Basis.WEIGHTS,)}
        known = "" if {r.check for r in open_} - about_weights else TOKENIZER_ALONE
        return Verdict.UNVERIFIABLE, known + _each_reason(open_)
    missing = [name for name in require if not any(matches(r.check, (name,)) for r in results)]
    if missing:
        return Verdict.UNVERIFIABLE, "required, but not run: " + ", ".join(missing)
    if not any(r.status is Status.PASSED for r in results):
        return Verdict.UNVERIFIABLE, "no check could decide anything"
    held = sum(each.finding.severity is Severity.ERROR for r in results for each in r.suppressed)
    return Verdict.PASS, f"no errors but {held:,} suppressed" if held else "no errors"


def _undecided(name: str, results: Sequence[CheckResult]) -> str:
    """Explain why a required suite decides nothing about missing weights."""
    asked = (r.reason for r in results if matches(r.check, (name,)))
    checks = f"check {name}" if "/" in name else f"{name} checks"
    return next(
        (
            f"the {checks} that --require asks for could not run, because {reason}"
            for reason in asked
            if reason.startswith(LACKING)
        ),
        "",
    )


def _each_reason(results: Sequence[CheckResult]) -> str:
    """List the reasons why nothing was decided, with the checks that give each."""
    checks: dict[tuple[bool, str], list[str]] = {}
    for result in results:
        crashed = result.status is Status.CRASHED
        checks.setdefault((crashed, result.reason), []).append(result.check)
    return "; ".join(_said(why, ", ".join(ids), crashed) for (crashed, why), ids in checks.items())


def _said(why: str, ids: str, crashed: bool) -> str:
    """Place an exception after its checks, and any other reason before them.

    >>> _said("no a here; run: pip install a", "b/c", crashed=False)
    'no a here (b/c); run: pip install a'
    """
    reason, run, command = why.partition("; run: ")
    return f"{ids}: {why}" if crashed else f"{reason} ({ids}){run}{command}"


def _is_open(
    result: CheckResult, named: Collection[str], require: tuple[str, ...], decided: Collection[str]
) -> bool:
    """Return whether a result leaves a required question open; a crash always does.

    A suite that is required and decides something may have checks whose base nobody named.
    """
    if result.status is not Status.SKIPPED:
        return result.status is Status.CRASHED
    if result.check in named:
        return True
    without_base = result.not_given and _suite(result) in decided
    return matches(result.check, require) and not without_base


def _suite(result: CheckResult) -> str:
    return result.check.partition("/")[0]


def summary(results: Sequence[CheckResult]) -> dict[str, int]:
    """Count results by status, and findings by severity; measuring is not passing."""
    statuses = Counter(str(r.status) for r in results if not r.only_measured)
    severities = Counter(str(f.severity) for r in results for f in r.findings)
    names = [*Status, *Severity]
    return {str(name): statuses[str(name)] + severities[str(name)] for name in names}


def exit_code(report: Report, fail_on: str) -> int:
    """Return 4 for a crash, 1 for findings at `fail_on`, 3 for unverifiable, else 0."""
    if any(result.status is Status.CRASHED for result in report.results):
        return 4
    if fail_on != NEVER:
        least = Severity(fail_on).rank
        if any(finding.severity.rank <= least for finding in report.findings):
            return 1
    return 3 if report.verdict is Verdict.UNVERIFIABLE else 0
