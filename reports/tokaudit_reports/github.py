"""Writes a report as the commands by which a GitHub job annotates files and fails a step's page."""

from __future__ import annotations

from tokaudit.report.model import Finding, Severity, Verdict
from tokaudit.report.report import Report
from tokaudit.report.visible import visible
from tokaudit.report.writer import ReportWriter
from tokaudit_reports.arrange import by_severity, suppressed
from tokaudit_reports.facet_results import with_facets
from tokaudit_reports.wording import line, path_of, root_of, verdict_line

COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def write(report: Report) -> str:
    """One command for each finding, the worst first, and one for the verdict.

    A suppressed finding is a notice.
    """
    lines = [
        _command(COMMANDS[severity], _file(report, each.finding), each.title, line(each.finding))
        for severity, findings in by_severity(with_facets(report))
        for each in findings
    ]
    for held in suppressed(report):
        finding = held.suppressed.finding
        said = visible(f"{held.why.rstrip('.')}. {finding.severity}: {finding.message}")
        lines.append(_command("notice", _file(report, finding), held.title, said))
    last = "notice" if report.verdict is Verdict.PASS else "error"
    lines.append(_command(last, "", "tokaudit", visible(verdict_line(report))))
    return "\n".join(lines) + "\n"


def _file(report: Report, finding: Finding) -> str:
    """The blamed file from where the command ran; empty where the subject is not a path."""
    file = finding.places[0].file if finding.places else ""
    named = file if report.compared else report.subject.name
    return "" if not file or ":" in named else path_of(root_of(report), file)


def _command(kind: str, file: str, title: str, message: str) -> str:
    """One command.

    >>> _command("error", "a,b/c.json", "vocab/holes", "100 % of it")
    '::error file=a%2Cb/c.json,title=vocab/holes::100 %25 of it'
    """
    where = f"file={_property(file)}," if file else ""
    return f"::{kind} {where}title={_property(title)}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(visible(text)).replace(":", "%3A").replace(",", "%2C")


WRITER = ReportWriter("github", (".github.txt",), write)
