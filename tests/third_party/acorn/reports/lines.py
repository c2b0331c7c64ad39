"""Writes a report as one line for each finding."""

from __future__ import annotations

from tokaudit.plugin import Report, ReportWriter


def write(report: Report) -> str:
    """The verdict, then each check that found something with what it found."""
    found = [f"{r.check!a}\t{f.message!a}" for r in report.results for f in r.findings]
    return "\n".join([str(report.verdict), *found]) + "\n"


WRITER = ReportWriter("acorn-lines", (".acorn",), write)
