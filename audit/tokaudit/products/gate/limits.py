"""Limits of figures: thresholds of the configuration, and the baseline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tokaudit.engine.measured import Measured
from tokaudit.products.gate.differences.changes import ChangedFigure, Changes, changes, compared
from tokaudit.products.gate.differences.snapshot import Snapshot, of_measurement
from tokaudit.products.gate.measuring import Threshold, exceeded, stated
from tokaudit.report.model import (
    CheckResult,
    Evidence,
    Finding,
    Measurement,
    Place,
    Severity,
    Status,
)
from tokaudit.report.wording import of_part

THRESHOLDS, BASELINE = "gate/thresholds", "gate/baseline"
MOST = 5  # figures that a message quotes
Declared = Mapping[str, Measured]
Figures = Sequence[tuple[str, Measurement]]  # with the part of each


def held_to_thresholds(
    thresholds: Sequence[Threshold],
    results: Sequence[CheckResult],
    was: Snapshot | None,
    declared: Declared,
) -> CheckResult:
    """Report each broken threshold; skip if a figure is missing."""
    findings, missing = [], []
    for each in thresholds:
        figures = [(r.part, m) for r in results for m in r.measurements if each.covers(m)]
        if broken := [said for _, measured in figures for said in exceeded(each, measured)]:
            findings.append(_over(each, broken, "is beyond its limit"))
        if grown := list(_grown(each, figures, was, declared)):
            findings.append(_over(each, grown, "grew"))
        if not figures:
            missing.append(f"{each.path}: {_named(each)} was not measured{_why(each, results)}")
        missing += _not_comparable(each, figures, was)
    status = Status.FAILED if findings else Status.SKIPPED if missing else Status.PASSED
    return CheckResult(THRESHOLDS, status, "; ".join(missing), tuple(findings))


def _grown(
    threshold: Threshold, figures: Figures, was: Snapshot | None, declared: Declared
) -> Iterator[str]:
    if threshold.growth is None or was is None:
        return
    for changed in _compared_with(threshold, figures, was, declared):
        if changed.worse:
            yield f"{changed}, and {threshold.growth:g} are allowed"


def _compared_with(
    threshold: Threshold, figures: Figures, was: Snapshot, declared: Declared
) -> Iterator[ChangedFigure]:
    before = {each.of: each for each in was.measurements}
    for part, measured in figures:
        now = of_measurement(measured, part)
        if now.of in before:
            yield compared(before[now.of], now, declared[now.key], threshold.growth)


def _not_comparable(threshold: Threshold, figures: Figures, was: Snapshot | None) -> list[str]:
    """Return the figures to compare that the baseline lacks."""
    if threshold.growth is None:
        return []
    before = {each.of for each in was.measurements} if was is not None else set()
    new = [m for part, m in figures if of_measurement(m, part).of not in before]
    if not new:
        return []
    return [
        f"{threshold.path}: the baseline has no {stated(new[0]).partition(':')[0]} that was "
        "measured alike; record it with --update-baseline"
    ]


def _over(threshold: Threshold, said: Sequence[str], how: str) -> Finding:
    more = f"; and {len(said) - MOST} more" if len(said) > MOST else ""
    return Finding(
        Severity.ERROR,
        f"{'; '.join(said[:MOST])}{more}",
        (Place(threshold.key.partition("/")[0]),),
        (Evidence(kind="facts", facts={"threshold": threshold.path, "over it": list(said)}),),
        "Find out what changed in the tokenizer; where the new figure is accepted, change the "
        "threshold, or record the baseline again.",
        cause=f"{threshold.key} {how}",
        check=THRESHOLDS,
    )


def _named(threshold: Threshold) -> str:
    of = ", ".join(threshold.dimensions.values())
    return f"{threshold.key} of {of}" if of else threshold.key


def _why(threshold: Threshold, results: Sequence[CheckResult]) -> str:
    reasons = [r.reason for r in results if r.check == threshold.check and r.reason]
    return f": {reasons[0]}" if reasons else ""


def compared_with_baseline(
    was: Snapshot | None,
    now: Snapshot,
    thresholds: Sequence[Threshold],
    results: Sequence[CheckResult],
    declared: Declared,
) -> CheckResult:
    """Report what got worse since the baseline; growth thresholds judge their own figures."""
    if was is None:
        finding = Finding(
            Severity.WARNING,
            "the baseline has nothing about this subject, so that every finding counts as new",
            remedy="Record it: tokaudit gate --update-baseline",
            cause="not recorded",
            check=BASELINE,
        )
        return CheckResult(BASELINE, Status.PASSED, findings=(finding,))
    found = changes(was, now, declared, results)
    bounded = {
        of_measurement(m, r.part).of
        for r in results
        for m in r.measurements
        for each in thresholds
        if each.growth is not None and each.covers(m)
    }
    worse = [each for each in found.figures if each.worse and each.now.of not in bounded]
    findings = (*_worse_figures(worse), *_notes(found))
    return CheckResult(BASELINE, Status.FAILED if worse else Status.PASSED, findings=findings)


def _worse_figures(worse: Sequence[ChangedFigure]) -> Iterator[Finding]:
    for key in dict.fromkeys(each.now.key for each in worse):
        together = sorted((e for e in worse if e.now.key == key), key=lambda e: -e.ratio)
        said = [str(each) for each in together]
        more = f"; and {len(said) - MOST} more" if len(said) > MOST else ""
        yield Finding(
            Severity.ERROR,
            f"worse than in the baseline: {'; '.join(said[:MOST])}{more}",
            (Place(key.partition("/")[0]),),
            (Evidence(kind="facts", facts={"worse": said}),),
            "Find out what changed in the tokenizer; where the new figure is accepted, record it: "
            "tokaudit gate --update-baseline",
            cause=f"{key} is worse",
            check=BASELINE,
        )


def _notes(found: Changes) -> Iterator[Finding]:
    """Yield notes on baseline findings that count again, and on obsolete ones."""
    for one, why in found.worse:
        named = of_part(one.identity, one.part)
        yield _note(f"{named} counts again, worse than in the baseline: it {why}", "worse")
    if found.gone:
        named = ", ".join(each.identity for each in found.gone[:MOST])
        yield _note(
            f"the baseline has findings that are gone ({named}); --update-baseline drops them",
            "gone",
        )


def _note(message: str, cause: str) -> Finding:
    return Finding(Severity.INFO, message, cause=cause, check=BASELINE)
