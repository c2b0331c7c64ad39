"""One subject of a gate: its audit, its manifest and its comparisons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tokaudit.engine.opening import repository_of
from tokaudit.engine.options import Effort
from tokaudit.engine.settings.settings import AuditSettings, BareFiles, CompareSettings
from tokaudit.engine.shared import Shared
from tokaudit.foundation.settings.setting import part, values
from tokaudit.products.audit.auditing import requested
from tokaudit.products.audit.one_audit import OnResult, Request
from tokaudit.products.audit.repository import CarriedOut, carry_out_all
from tokaudit.products.audit.shared_files import shared_out
from tokaudit.products.compare.api.tokenizers import compared
from tokaudit.products.gate.configuration import Configuration
from tokaudit.products.gate.drift_findings import MANIFEST, drift_findings
from tokaudit.products.gate.subjects import AskedSubject
from tokaudit.products.identity.statement import statement_of, weight_digests
from tokaudit.report.comparison import Comparison, Outcome
from tokaudit.report.model import (
    CheckResult,
    Evidence,
    Finding,
    Measurement,
    Place,
    Severity,
    Status,
    Verdict,
)
from tokaudit.report.report import Report
from tokaudit.subject.material import SourceFile

SUBJECT = "gate/subject"
COMPARE, SIZE = "gate/compare", "gate/size"
Statement = dict[str, Any]
SHOWN = 3  # texts and places of a comparison that a finding carries


@dataclass(frozen=True)
class Examined:
    """Examination of one subject, before suppressions, baseline and verdict."""

    asked: AskedSubject
    report: Report
    gates: tuple[CheckResult, ...] = ()  # of the manifest, the comparisons and the sizes
    statement: Statement | None = None  # what a manifest of it would state now


def request_for(asked: AskedSubject, configured: Configuration) -> Request:
    """Build the audit request of a subject; raise `UsageError` for an invalid setting."""
    asks = AuditSettings(
        **values(asked.settings), **values(configured.options), require=configured.require
    )
    request = requested(asks, whole_identity=asked.manifest is not None)
    return replace(request, checks=configured.checks)


def examined(
    asked: AskedSubject,
    request: Request,
    was: Mapping[str, Any] | None,
    on_result: OnResult | None = None,
    accepting: bool = False,
    shared: Shared | None = None,
) -> Examined:
    """Audit a subject, verify its manifest and compare it; raise `UnreadableError`."""
    mine, others = shared_out(asked.path, request.others, asked.settings.files or None)
    repository = repository_of(asked.path, replace(asked.settings, files=mine))
    done = carry_out_all(repository, replace(request, others=others), on_result, shared)
    gates = [_size(done.report)]
    more_files = repository.files if accepting else ()  # what else a manifest that is written names
    now = _derived(asked, was, done, more_files) if asked.manifest is not None else None
    if was is not None and now is not None:
        drifts = drift_findings(asked.path, str(asked.manifest), was, now)
        gates.append(_decided(MANIFEST, tuple(drifts)))
    report = done.report
    further: list[Comparison] = []
    results = []
    for purpose, found in _comparisons(asked, request.options):
        results.append(_judged(asked, purpose, found))
        further += found.comparisons
    if further:
        first, *rest = (*report.comparisons, *further)
        report = replace(report, comparison=first, further=tuple(rest))
        gates.append(_all_purposes(results))
    return Examined(asked, report, tuple(gates), now)


def _size(report: Report) -> CheckResult:
    """Measure the bytes of the tokenizer's files, and the entries of the vocabulary."""
    formats = set(report.subject.formats)
    files = [file for file in report.subject.files if file.role in formats]
    vocab = next((each.n for each in report.identity if each.name == "vocab-v1"), 0)
    found = []
    for key, title, value, unit in (
        ("gate/tokenizer_bytes", "Size of the tokenizer's files", sum(f.size for f in files), "B"),
        ("gate/vocab_entries", "Entries of the vocabulary", vocab, "entries"),
    ):
        if value:
            found.append(Measurement(key, title, float(value), unit, 1, "as the files state it"))
    return CheckResult(SIZE, Status.PASSED, measurements=tuple(found))


def _derived(
    asked: AskedSubject,
    was: Mapping[str, Any] | None,
    done: CarriedOut,
    more_files: Sequence[SourceFile],
) -> Statement:
    """Derive the subject's current manifest, with the same content as the recorded one."""
    weights = was is not None and bool(weight_digests(was))
    return statement_of(
        done.whole, done.main, hash_weights=weights, given=asked.facts, more_files=more_files
    )


def _comparisons(asked: AskedSubject, effort: Effort) -> Iterator[tuple[str, Report]]:
    """Yield one comparison for each purpose; an empty purpose refuses any difference."""
    if asked.compare is not None:
        for purpose in asked.purposes or ("",):
            settings = comparison_of(asked, effort, purpose)
            yield purpose, compared((asked.compare, asked.path), settings)


def comparison_of(asked: AskedSubject, effort: Effort, purpose: str) -> CompareSettings:
    """Return the settings of a comparison, as the subject is opened and audited."""
    bare = values(part(asked.settings, BareFiles))
    return CompareSettings(purpose=purpose or None, **bare, **values(part(effort, Effort)))


def _judged(asked: AskedSubject, purpose: str, found: Report) -> CheckResult:
    """Report a failed comparison with its texts; skip if too little is known."""
    if found.verdict is Verdict.UNVERIFIABLE:
        return CheckResult(COMPARE, Status.SKIPPED, found.verdict_reason)
    if found.verdict is Verdict.PASS:
        return CheckResult(COMPARE, Status.PASSED)
    places, evidence = _shown(found, asked.path)
    finding = Finding(
        Severity.ERROR,
        f"{asked.name} cannot replace {asked.compare}: {found.verdict_reason}",
        places,
        evidence,
        f"tokaudit compare {asked.compare} {asked.path} shows each facet; export the tokenizer "
        "again from the one that it is to replace.",
        cause=f"not fit for {purpose}" if purpose else "differs",
        check=COMPARE,
    )
    return _decided(COMPARE, (finding,))


def _all_purposes(results: Sequence[CheckResult]) -> CheckResult:
    """Merge the comparisons of a subject: failed, else skipped, else passed."""
    found = {each.status for each in results}
    worst = next(s for s in (Status.FAILED, Status.SKIPPED, Status.PASSED) if s in found)
    reason = "; ".join(each.reason for each in results if each.reason)
    return CheckResult(COMPARE, worst, reason, tuple(f for r in results for f in r.findings))


def _shown(found: Report, path: str) -> tuple[tuple[Place, ...], tuple[Evidence, ...]]:
    """Return the subject's differing places in its report's file names, and first texts."""
    facets = found.comparison.facets if found.comparison is not None else ()
    differing = [each for each in facets if each.outcome is Outcome.DIFFERS]
    stated = [place for facet in differing for place in facet.places]
    own = [place for place in stated if place.file.startswith(path)]
    named = [
        replace(place, file=place.file.removeprefix(path).lstrip("/"), outside=False)
        for place in own
    ]
    evidence = [one for facet in differing for one in facet.evidence]
    return tuple(named[:SHOWN]) or (Place("tokenizer"),), tuple(evidence[:SHOWN])


def _decided(check: str, findings: tuple[Finding, ...]) -> CheckResult:
    failed = any(each.severity is Severity.ERROR for each in findings)
    return CheckResult(check, Status.FAILED if failed else Status.PASSED, findings=findings)


def hashes_of(report: Report) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the digest of each component, by part of a repository, or "" for a single one."""
    for one in report.parts:
        yield one.name, {each.name: each.digest for each in one.identity}
    if not report.parts:
        yield "", {each.name: each.digest for each in report.identity}
