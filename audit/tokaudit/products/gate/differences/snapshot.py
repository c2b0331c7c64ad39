"""Findings and figures of a run without text, as a baseline keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tokaudit.report.model import CheckResult, Finding, Measurement, Severity

OURS = "gate/"  # results of the gate itself, which no baseline excuses


@dataclass(frozen=True)
class KnownFinding:
    """All findings of one identity in one part: the worst severity, and counts."""

    identity: str
    part: str
    severity: Severity
    findings: int
    ids: int = 0

    @property
    def check(self) -> str:
        """Return the check that found it."""
        return self.identity.partition(":")[0]

    @property
    def key(self) -> tuple[str, str]:
        """Return the key that identifies the finding across runs."""
        return self.identity, self.part


@dataclass(frozen=True)
class KnownMeasurement:
    """A recorded figure."""

    key: str
    value: float
    unit: str
    part: str = ""
    interval: tuple[float, float] | None = None
    dimensions: Mapping[str, str] = field(default_factory=dict)

    @property
    def of(self) -> tuple[str, str, frozenset[tuple[str, str]]]:
        """Return the key that identifies the figure across runs."""
        return self.key, self.part, frozenset(self.dimensions.items())


@dataclass(frozen=True)
class Snapshot:
    """Findings and figures of one subject."""

    findings: tuple[KnownFinding, ...] = ()
    measurements: tuple[KnownMeasurement, ...] = ()


def taken(results: Iterable[CheckResult], gate: bool = False) -> Snapshot:
    """Take the snapshot of some results, including suppressed findings.

    `gate` includes what the gate itself found: drift, comparisons, thresholds.
    """
    findings: dict[tuple[str, str], KnownFinding] = {}
    measurements = []
    for result in results:
        found = (*result.findings, *(each.finding for each in result.suppressed))
        for finding in found if gate or not result.check.startswith(OURS) else ():
            one = of_finding(finding, result.part)
            findings[one.key] = _joined(findings.get(one.key), one)
        measurements += [of_measurement(each, result.part) for each in result.measurements]
    return Snapshot(
        tuple(findings[key] for key in sorted(findings)),
        tuple(sorted(measurements, key=lambda one: (one.key, one.part, sorted(one.of[2])))),
    )


def of_finding(finding: Finding, part: str) -> KnownFinding:
    """Convert one finding to its snapshot form."""
    ids = sum(len(evidence.ids) for evidence in finding.evidence)
    return KnownFinding(finding.identity, part, finding.severity, 1, ids)


def of_measurement(measured: Measurement, part: str) -> KnownMeasurement:
    """Convert one figure to its snapshot form."""
    return KnownMeasurement(
        measured.key,
        measured.value,
        measured.unit,
        part,
        measured.interval,
        dict(measured.dimensions),
    )


def _joined(one: KnownFinding | None, other: KnownFinding) -> KnownFinding:
    if one is None:
        return other
    worst = min(one.severity, other.severity, key=lambda severity: severity.rank)
    count, ids = one.findings + other.findings, one.ids + other.ids
    return KnownFinding(other.identity, other.part, worst, count, ids)


def worse(was: KnownFinding, now: KnownFinding) -> str:
    """Describe how a finding is worse than before; empty if it is not.

    >>> one = KnownFinding("vocab/holes:inner", "", Severity.WARNING, 1, 3)
    >>> worse(one, KnownFinding("vocab/holes:inner", "", Severity.WARNING, 1, 11))
    'names 11 ids, was 3'
    """
    if now.severity.rank < was.severity.rank:
        return f"is {now.severity}, was {was.severity}"
    if now.findings > was.findings:
        return f"found {now.findings:,} times, was {was.findings:,}"
    if now.ids > was.ids:
        return f"names {now.ids:,} ids, was {was.ids:,}"
    return ""
