"""Writes a report as the commands by which a GitHub job annotates files and fails a step's page."""

from __future__ import annotations

from tokaudit.plugin import Finding, Report, ReportWriter, Severity, Verdict, visible
from tokaudit.report.sentences.in_words import verdict_line
from tokaudit_reports.arranged.facet_results import with_facets
from tokaudit_reports.arranged.order import by_severity, suppressed
from tokaudit_reports.arranged.wording import line_of_cause, line_of_suppressed, path_of, root_of

COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def write(report: Report) -> str:
    """Write a command for each cause, the worst first, and one for the verdict.

    A suppressed finding is a notice.
    """
    lines = [
        _command(
            COMMANDS[severity],
            _where(report, each.finding),
            each.identity,
            line_of_cause(each, accept=not report.compared),
        )
        for severity, findings in by_severity(with_facets(report))
        for each in findings
    ]
    for name, held in suppressed(report):
        where = _where(report, held.finding)
        lines.append(_command("notice", where, name, line_of_suppressed(held)))
    if report.unprotected:
        said = f"not protected, as this platform lacks: {report.unprotected}"
        lines.append(_command("warning", "", "tokaudit", visible(said)))
    last = "notice" if report.verdict is Verdict.PASS else "error"
    lines.append(_command(last, "", "tokaudit", visible(verdict_line(report))))
    return "\n".join(lines) + "\n"


def _where(report: Report, finding: Finding) -> str:
    """Return the blamed file from the folder of the run, and its line; "" if it is no path."""
    if not finding.places:
        return ""
    place = finding.places[0]
    named = place.file if report.compared or place.outside else report.subject.name
    if not place.file or ":" in named:
        return ""
    file = path_of("." if place.outside else root_of(report), place.file)
    return f"file={_property(file)}," + (f"line={place.line}," if place.line else "")


def _command(kind: str, where: str, title: str, message: str) -> str:
    """Write one command.

    >>> _command("error", "file=b.json,line=5,", "vocab/holes", "100 % of it")
    '::error file=b.json,line=5,title=vocab/holes::100 %25 of it'
    """
    return f"::{kind} {where}title={_property(title)}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(visible(text)).replace(":", "%3A").replace(",", "%2C")


WRITER = ReportWriter("github", (".github.txt",), write)
