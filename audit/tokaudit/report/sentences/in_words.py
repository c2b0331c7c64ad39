"""Short text form of a report, as in `print(report)` and failed tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tokaudit.report.causes.cause import Cause
from tokaudit.report.model import Severity
from tokaudit.report.wording import counted, cut, first_text

if TYPE_CHECKING:
    from tokaudit.report.report import Report

MOST_SHOWN = 5  # causes
LONGEST = 400  # characters of a text


def verdict_line(report: Report) -> str:
    """Return the verdict, the subject, and what to do and why."""
    return f"{report.verdict.upper()} {report.title}: {report.sentence}"


def lines_of(report: Report) -> Iterator[str]:
    """Yield the sentence, the worst causes, omissions, and the scope of the report."""
    yield verdict_line(report)
    causes = [each for each in report.causes if each.severity is not Severity.INFO]
    for each in causes[:MOST_SHOWN]:
        yield from _cause(each)
    if more := _more(causes[MOST_SHOWN:]):
        yield more
    if report.suppressed:
        yield f"{len(report.suppressed):,} suppressed"
    yield f"scope: {report.scope}"


def _cause(cause: Cause) -> Iterator[str]:
    finding = cause.finding
    yield f"{cause.severity} {cause.identity}: {finding.message}"
    text = first_text(finding)
    if text is not None:
        yield f"  text: {cut(repr(text), LONGEST)}"
    if finding.remedy:
        yield f"  what to do: {finding.remedy}"
    if cause.explains:
        names = ", ".join(dict.fromkeys(each.identity for each in cause.explains))
        yield f"  explains {len(cause.explains):,} more: {names}"


def _more(causes: list[Cause]) -> str:
    """Count the omitted causes by severity; empty if there are none."""
    left = [each.severity for each in causes]
    parts = [counted(left.count(level), level) for level in Severity if level in left]
    return f"and {', '.join(parts)} more" if parts else ""
