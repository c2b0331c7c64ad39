"""Judge examined subjects: severities, suppressions, baseline, thresholds, verdict."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tokaudit.engine.check import all_checks
from tokaudit.engine.outcome.verdict import judge, summary
from tokaudit.products.gate.baseline import Baseline, without_known
from tokaudit.products.gate.configuration import Configuration
from tokaudit.products.gate.differences.declared import declarations
from tokaudit.products.gate.differences.snapshot import Snapshot, taken
from tokaudit.products.gate.limits import compared_with_baseline, held_to_thresholds
from tokaudit.products.gate.one_subject import SUBJECT, Examined, hashes_of
from tokaudit.products.gate.suppressions import DECIDED, Suppression, suppress
from tokaudit.report.model import CheckResult, Finding, Severity, Status, Verdict
from tokaudit.report.report import Report

SUPPRESSIONS = "gate/suppressions"


@dataclass
class Tally:
    """Uses of each suppression, by its path, over all subjects."""

    used: set[str] = field(default_factory=set)
    ended: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Judged:
    """One subject with everything that counts, before the verdict, and its snapshot."""

    examined: Examined
    results: tuple[CheckResult, ...]
    now: Snapshot


def judged(
    examined: Examined,
    configured: Configuration,
    baseline: Baseline | None,
    tally: Tally,
    today: dt.date,
) -> Judged:
    """Apply the configuration to a subject's results, and tally suppressions."""
    found = [_at_severity(each, configured) for each in examined.report.results]
    now = snapshot_of(examined, configured)
    hashes = dict(hashes_of(examined.report))
    mine = [s for s in configured.suppressions if s.subject in ("", examined.asked.name)]
    results = [
        _suppressed(each, mine, hashes.get(each.part, {}), tally, today)
        for each in (*found, *examined.gates)
    ]
    was = None if baseline is None else baseline.subjects.get(examined.asked.name)
    if was is not None:
        results = list(without_known(results, now, was, str(configured.baseline)))
    return Judged(examined, (*results, *_limits(configured, results, baseline, was, now)), now)


def snapshot_of(examined: Examined, configured: Configuration) -> Snapshot:
    """Return a subject's snapshot for a baseline, with configured severities."""
    found = (_at_severity(each, configured) for each in examined.report.results)
    return taken((*found, *examined.gates))


def _at_severity(result: CheckResult, configured: Configuration) -> CheckResult:
    """Set the configured severities of a result's findings."""
    by = configured.severity
    findings = tuple(
        replace(f, severity=by.get(f.identity, by.get(f.check, f.severity)))
        for f in result.findings
    )
    if findings == result.findings:
        return result
    failed = any(each.severity is Severity.ERROR for each in findings)
    status = result.status if result.status not in DECIDED else Status.PASSED
    return replace(result, findings=findings, status=Status.FAILED if failed else status)


def _suppressed(
    result: CheckResult,
    mine: Sequence[Suppression],
    hashes: Mapping[str, str],
    tally: Tally,
    today: dt.date,
) -> CheckResult:
    ended = {each.path: each.ended(hashes, today) for each in mine}
    shown = {finding.identity for finding in result.findings}
    for each in mine:
        if ended[each.path] and each.identity in shown:
            tally.ended[each.path] = ended[each.path]
    kept, used = suppress(result, [each for each in mine if not ended[each.path]])
    tally.used |= {each.path for each in used}
    return kept


def _limits(
    configured: Configuration,
    results: Sequence[CheckResult],
    baseline: Baseline | None,
    was: Snapshot | None,
    now: Snapshot,
) -> Iterator[CheckResult]:
    declared = declarations(all_checks())
    if configured.thresholds:
        yield held_to_thresholds(configured.thresholds, results, was, declared)
    if baseline is not None:
        yield compared_with_baseline(was, now, configured.thresholds, results, declared)


def about_suppressions(
    configured: Configuration, subjects: Sequence[Judged], tally: Tally
) -> dict[str, CheckResult]:
    """Return by subject the faults of its suppressions.

    One that matches nothing is an error if its check decided everywhere: it would hide a failure
    that comes back.  One for all subjects is reported with the first.
    """
    found: dict[str, list[Finding]] = {}
    for each in configured.suppressions:
        meant = [one for one in subjects if each.subject in ("", one.examined.asked.name)]
        said = _about(each, meant, tally, configured.file)
        if said is not None and meant:
            found.setdefault(meant[0].examined.asked.name, []).append(said)
    return {name: _result(findings) for name, findings in found.items()}


def _result(findings: Sequence[Finding]) -> CheckResult:
    failed = any(each.severity is Severity.ERROR for each in findings)
    status = Status.FAILED if failed else Status.PASSED
    return CheckResult(SUPPRESSIONS, status, findings=tuple(findings))


def _about(one: Suppression, subjects: Sequence[Judged], tally: Tally, file: str) -> Finding | None:
    named = f"{file}: {one.path} ({one.identity})"
    if one.path in tally.ended:
        return Finding(
            Severity.WARNING,
            f"{named} {tally.ended[one.path]}, so that its finding counts again",
            remedy="Fix what it finds, or renew the suppression with a reason.",
            cause="ended",
            check=SUPPRESSIONS,
        )
    if one.path in tally.used or not all(_decided(each, one.check) for each in subjects):
        return None
    shown = sorted({name for each in subjects for name in _identities(each, one.check)})
    there = f"; {one.check} found {', '.join(shown)}" if shown else ""
    return Finding(
        Severity.ERROR,
        f"{named} matches no finding{there}",
        remedy=f'Write identity = "{shown[0]}" if that is what is accepted, or remove it.'
        if shown
        else "Remove it: it would hide the failure when it comes back.",
        cause="matches nothing",
        check=SUPPRESSIONS,
    )


def _decided(judged: Judged, check: str) -> bool:
    found = [each.status for each in judged.results if each.check == check]
    return bool(found) and all(status in DECIDED for status in found)


def _identities(judged: Judged, check: str) -> Iterator[str]:
    for result in judged.results:
        if result.check == check:
            found = (*result.findings, *(each.finding for each in result.suppressed))
            yield from (finding.identity for finding in found)


def reported(judged: Judged, configured: Configuration, more: Sequence[CheckResult]) -> Report:
    """Build the report of one subject, with the verdict over everything that counts."""
    results = (*judged.results, *more)
    report = judged.examined.report
    verdict, reason = _verdict(results, configured)
    asked = f"; {configured.file}: {configured.weakened}" if configured.weakened else ""
    parts = tuple(
        replace(part, verdict=one[0], verdict_reason=one[1], summary=summary(mine))
        for part in report.parts
        for mine in [[each for each in results if each.part == part.name]]
        for one in [_verdict(mine, configured)]
    )
    return replace(
        report,
        verdict=verdict,
        verdict_reason=reason,
        scope=f"{report.scope}{asked}",
        summary=summary(results),
        results=results,
        parts=parts,
    )


def _verdict(results: Sequence[CheckResult], configured: Configuration) -> tuple[Verdict, str]:
    """Return an audit's verdict; undecided gate results make it unverifiable too."""
    audited = [each for each in results if not each.check.startswith("gate/")]
    ours = [each for each in results if each.check.startswith("gate/")]
    for each in ours:
        if each.check == SUBJECT:  # it could not be read, so that no check was asked
            return Verdict.UNVERIFIABLE, each.reason
    verdict, reason = judge(audited, configured.checks, configured.require)
    failed = [each.check for each in ours if each.status is Status.FAILED]
    open_ = [f"{each.check}: {each.reason}" for each in ours if each.status is Status.SKIPPED]
    if verdict is Verdict.FAIL or failed:
        named = [reason.removeprefix("errors from ")] if verdict is Verdict.FAIL else []
        return Verdict.FAIL, f"errors from {', '.join(dict.fromkeys([*named, *failed]))}"
    if open_:
        undecided = [reason] if verdict is Verdict.UNVERIFIABLE else []
        return Verdict.UNVERIFIABLE, "; ".join([*undecided, *open_])
    return verdict, reason
