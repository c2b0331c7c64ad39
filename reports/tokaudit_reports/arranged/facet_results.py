"""Says the facets of a comparison as results of checks, for formats that know nothing else.

Each facet is a check of the suite `compare`: one that differs has an error, one of which nothing is
known is skipped.  Where a purpose was named it alone decides, and what differs is a note.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tokaudit.plugin import (
    CheckResult,
    Comparison,
    Facet,
    Finding,
    Outcome,
    Place,
    Report,
    Severity,
    Status,
    Suitability,
    Verdict,
    located,
)

SUITE = "compare"
HYPHENED = ("pre-tokenizer", "post-processor")
OF_PURPOSE = {
    Verdict.PASS: Status.PASSED,
    Verdict.FAIL: Status.FAILED,
    Verdict.UNVERIFIABLE: Status.SKIPPED,
}


def with_facets(report: Report) -> Report:
    """Add the facets of a comparison to the results; other reports are not changed.

    In an audit the check that compared has findings already.
    """
    if report.comparison is None or not report.compared:
        return report
    several = bool(report.further)
    found = [
        replace(result, part=each.right if several else "")
        for each in report.comparisons
        for result in _results(each)
    ]
    return replace(report, results=(*report.results, *found))


def question(id: str) -> str:
    """Return the title of a check of this suite; empty for any other check."""
    suite, _, name = id.partition("/")
    if suite != SUITE:
        return ""
    if name.startswith("for-"):
        return f"The tokenizers can be exchanged for {name.removeprefix('for-')}"
    name = name if name in HYPHENED else name.replace("-", " ")
    return f"The tokenizers do not differ in: {name}"


def _results(comparison: Comparison) -> Iterator[CheckResult]:
    if comparison.suitability is not None:
        yield _purpose(comparison, comparison.suitability)
    for facet in comparison.facets:
        yield _facet(comparison, facet)
    if comparison.different and not any(f.outcome is Outcome.DIFFERS for f in comparison.facets):
        yield _only_ids(comparison)


def _purpose(comparison: Comparison, suited: Suitability) -> CheckResult:
    id, status = f"{SUITE}/for-{suited.purpose}", OF_PURPOSE[suited.verdict]
    if status is not Status.FAILED:
        return CheckResult(id, status, suited.why if status is Status.SKIPPED else "")
    message = (
        f"{comparison.right} cannot take the place of {comparison.left} for {suited.purpose}: "
        f"{suited.why}"
    )
    return CheckResult(id, status, findings=(_error(comparison, id, message),))


def _facet(comparison: Comparison, facet: Facet) -> CheckResult:
    id = f"{SUITE}/{facet.name.replace(' ', '-')}"
    if facet.outcome is Outcome.UNKNOWN:
        return CheckResult(id, Status.SKIPPED, facet.why)
    if facet.outcome is not Outcome.DIFFERS:
        return CheckResult(id, Status.PASSED)
    finding = replace(
        _error(comparison, id, _differ(comparison, facet.name, facet.why)),
        places=facet.places or _places(comparison, facet.name),
        evidence=facet.evidence,
    )
    if comparison.suitability is None:
        return CheckResult(id, Status.FAILED, findings=(finding,))
    noted = replace(finding, severity=Severity.INFO, remedy="")
    return CheckResult(id, Status.PASSED, findings=(noted,))


def _only_ids(comparison: Comparison) -> CheckResult:
    """Report a difference of the libraries, though every facet is proved for the reference."""
    id = f"{SUITE}/texts"
    why = f"{comparison.different:,} of {comparison.texts:,} texts get different ids"
    finding = _error(comparison, id, _differ(comparison, "texts", why))
    shown = (comparison.minimal,) if comparison.minimal else ()
    return CheckResult(id, Status.FAILED, findings=(replace(finding, evidence=shown),))


def _differ(comparison: Comparison, name: str, why: str) -> str:
    return f"{comparison.left} and {comparison.right} differ in {name}: {why}"


def _error(comparison: Comparison, id: str, message: str) -> Finding:
    places = _places(comparison, id.partition("/")[2])
    return Finding(
        Severity.ERROR, message, places, remedy=comparison.remedy, check=id, cause="differs"
    )


def _places(comparison: Comparison, component: str) -> tuple[Place, ...]:
    sides = (comparison.left, comparison.left_file), (comparison.right, comparison.right_file)
    return tuple(Place(component, located(*side), outside=True) for side in sides)
