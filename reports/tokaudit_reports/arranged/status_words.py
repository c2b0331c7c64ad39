"""Counts the checks by status, in words that agree with the errors."""

from __future__ import annotations

from tokaudit.plugin import Report, Severity, Status
from tokaudit.report.wording import counted


def status_words(report: Report) -> list[str]:
    """Return the number of checks for each status that occurs."""
    ended = [(status, report.summary.get(str(status), 0)) for status in Status]
    return [
        failed_words(report) if status is Status.FAILED else f"{n:,} {status.replace('_', ' ')}"
        for status, n in ended
        if n
    ]


def failed_words(report: Report) -> str:
    """Return the number of failed checks, and of their errors if these are fewer.

    A finding that another one explains is no error of its own.
    """
    failed = report.summary.get(str(Status.FAILED), 0)
    errors = sum(each.severity is Severity.ERROR for each in report.causes)
    return f"{failed:,} failed" + (f" (from {counted(errors, 'error')})" if failed > errors else "")
