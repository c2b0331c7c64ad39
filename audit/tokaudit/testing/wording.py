"""Messages of failed items: actionable sentences, safe to print."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from types import MappingProxyType

from tokaudit.products.identity.drift import Drift
from tokaudit.report.model import CheckResult, Finding, Severity, Status
from tokaudit.report.report import Report
from tokaudit.report.visible import visible
from tokaudit.report.wording import first_text, place_words, text_words


def failure_text(result: CheckResult, causes: Mapping[str, str] = MappingProxyType({})) -> str:
    """Describe each error with its place, minimal text and remedy, the worst first.

    `causes` names, by the identity of an error, the one that explains it: that item has the rest.

    >>> found = Finding(Severity.ERROR, "two rows are missing", cause="short", remedy="Resize it.")
    >>> shown = failure_text(CheckResult("embeddings/rows", Status.FAILED, findings=(found,)))
    >>> print(shown.partition(" with ")[0])
    :short two rows are missing
      what to do: Resize it.
      to accept this error: [[suppressions]] in tokaudit.toml
    """
    crashed = [visible(f"crashed: {result.reason}")] if result.status is Status.CRASHED else []
    errors = [each for each in result.findings if each.severity is Severity.ERROR]
    lines = (line for each in errors for line in _lines(each, causes.get(each.identity)))
    return "\n".join([*crashed, *lines])


def causes_by_identity(report: Report) -> Mapping[str, str]:
    """Map each explained finding's identity to its cause's."""
    return {
        below.identity: cause.finding.identity
        for cause in report.causes
        for below in cause.explains
    }


def followed(result: CheckResult, causes: Mapping[str, str], errors: Set[str]) -> str:
    """Return the error that explains every error of a check; empty without one.

    >>> found = Finding(Severity.ERROR, "", cause="c")
    >>> short = CheckResult("a/b", Status.FAILED, findings=(found,))
    >>> followed(short, {":c": "d/e:f"}, {":c", "d/e:f"}), followed(short, {":c": "d/e:f"}, {":c"})
    ('d/e:f', '')
    """
    if result.status is not Status.FAILED:
        return ""
    found = [each.identity for each in result.findings if each.severity is Severity.ERROR]
    above = [causes.get(identity, "") for identity in found]
    return above[0] if above and all(each in errors for each in above) else ""


def _lines(finding: Finding, cause: str | None) -> Iterator[str]:
    yield visible(f"{finding.identity} {finding.message}")
    if cause is not None:
        yield visible(f"  follows from {cause}, whose item says what to do")
        return
    for place in finding.places[:1]:
        if where := place_words(place):
            yield visible(f"  in {where}")
    text = first_text(finding)
    if text is not None:
        yield f"  {text_words(finding)}: {visible(text, spaces=True)}"
    if finding.remedy:
        yield visible(f"  what to do: {finding.remedy}")
    yield visible(
        f"  to accept this {finding.severity}: [[suppressions]] in tokaudit.toml with "
        f"{finding.suppression}"
    )


def warning_line(finding: Finding) -> str | None:
    """Format a warning in one line; None for other findings.

    >>> warning_line(Finding(Severity.WARNING, "padding is on", check="padding/side", cause="on"))
    'padding/side:on: padding is on'
    """
    if finding.severity is not Severity.WARNING:
        return None
    return visible(f"{finding.identity}: {finding.message}")


def drift_text(drifts: Sequence[Drift]) -> str:
    """Describe each difference from a manifest, changed options, and a text that shows it."""
    return "\n".join(line for drift in drifts for line in _drift_lines(drift))


def _drift_lines(drift: Drift) -> Iterator[str]:
    yield str(drift)
    for change in drift.changes:
        yield visible(f"  {change}")
    if drift.evidence is not None and drift.evidence.text is not None:
        yield f"  text: {visible(drift.evidence.text, spaces=True)}"
