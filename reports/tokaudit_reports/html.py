"""Writes a report as one self-contained HTML page: no script, no request, nothing loaded."""

from __future__ import annotations

import shlex
from functools import cache
from typing import TYPE_CHECKING, Any

from tokaudit.report.model import Evidence, Severity, Status, Verdict
from tokaudit.report.report import Report
from tokaudit.report.visible import runs, text_of, visible
from tokaudit.report.writer import ReportWriter
from tokaudit_reports import arrange, charts, figures

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Environment
    from markupsafe import Markup

    from tokaudit.engine.check import Check

HEADLINES = {
    Verdict.PASS: "Pass",
    Verdict.FAIL: "Fail",
    Verdict.UNVERIFIABLE: "Unverifiable",
}
SEVERITIES = {Severity.ERROR: "Errors", Severity.WARNING: "Warnings", Severity.INFO: "Notes"}


def write(report: Report) -> str:
    """The report as an HTML page; titles and reasons come from the checks that are installed."""
    return render(report, arrange.installed_checks())


def render(report: Report, checks: Mapping[str, Check]) -> str:
    """The page of a report, with the checks by id that can explain themselves."""
    series, single = figures.arrange(report)
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            report=report,
            checks=checks,
            headline=HEADLINES[report.verdict],
            findings=arrange.by_severity(report),
            severities=SEVERITIES,
            severity_counts=arrange.counts(report, Severity),
            status_counts=arrange.counts(report, Status),
            results=arrange.by_status(report),
            suites=figures.by_suite(series),
            single=single,
            timing=_timing(report),
        )
    )


def show(text: object, spaces: bool = False, breaks: bool = False) -> Markup:
    """Text with whatever cannot be seen drawn as signs; with `breaks`, lines also break."""
    from markupsafe import Markup, escape

    parts = []
    for run in runs(str(text), spaces=spaces):
        sign = Markup('<span class="sign">{}</span>').format(run.text)
        line_end = "\n" if breaks and run.marked and run.text == "⏎" else ""
        parts.append((sign if run.marked else escape(run.text)) + line_end)
    return Markup("").join(parts)


def evidence_text(evidence: Evidence) -> str | None:
    """The text of an evidence, whichever way it travels."""
    return text_of(evidence.text, evidence.text_base64)


def _timing(report: Report) -> dict[str, Any]:
    timing = report.timing
    parts = {
        "upstream": timing.upstream,
        "reference": timing.reference,
        "spec analysis": timing.spec_analysis,
        "other": timing.other,
    }
    data = [charts.Datum(name, name, seconds) for name, seconds in parts.items()]
    return {"parts": parts, "drawn": charts.draw(data)}


def _seen(value: Any) -> Any:
    """What every printed string goes through: nothing in it may act on the page around it."""
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("tokaudit_reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_seen,
    )
    environment.filters.update(
        show=show,
        number=arrange.number,
        size=arrange.size_text,
        value=arrange.value_text,
        evidence_text=evidence_text,
        window=arrange.token_window,
        sides=arrange.both_sides,
        chart=charts.of_series,
        dimensions=figures.dimensions_text,
        shell=shlex.quote,
    )
    environment.tests["row"] = arrange.has_row
    return environment


WRITER = ReportWriter("html", (".html", ".htm"), write)
