"""Writes a report as one self-contained HTML page that makes no request.

The page is read without its script, which only filters, sorts and switches the theme.  Its content
policy names that script and the style by their hashes, so that a browser runs nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import re
import shlex
from functools import cache
from typing import TYPE_CHECKING, Any

from tokaudit.plugin import (
    CheckResult,
    Comparison,
    Evidence,
    Report,
    ReportWriter,
    Severity,
    Status,
    TracedBySides,
    TracedText,
    Verdict,
    cut,
    implied,
    repair_lines,
    runs,
    spans,
    text_of,
    visible,
)
from tokaudit.report.recorded import never_run, values_by_key
from tokaudit.report.sentences.not_examined import unexamined
from tokaudit.report.wording import counted, of_part
from tokaudit_reports.arranged import comparison, loaders, next_step, order, replacement, top_facts
from tokaudit_reports.arranged.parting import first_parting
from tokaudit_reports.arranged.runtime_table import runtime_rows
from tokaudit_reports.arranged.status_words import status_words
from tokaudit_reports.arranged.subjects import subject_rows
from tokaudit_reports.arranged.wording import suppressed_by
from tokaudit_reports.charts import bars, even, figures, growth, points, scatter

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2 import Environment
    from markupsafe import Markup


HEADLINES = {
    Verdict.PASS: "Pass",
    Verdict.FAIL: "Fail",
    Verdict.UNVERIFIABLE: "Unverifiable",
}
FOLDED = (Status.PASSED, Status.NOT_APPLICABLE)
# Signs that the fonts of every machine have, in place of those that terminals draw; a control
# character is written as its key is, such as ^[ for escape.
SIGNS = {"␠": "·", "⏎": "↵", "⇥": "→", "␡": "^?"}
SIGNS |= {chr(0x2400 + code): f"^{chr(code + 0x40)}" for code in range(0x20)}
OPENED = 3  # causes that the page shows whole; the others are a line that opens
SEVERITIES = {Severity.ERROR: "Errors", Severity.WARNING: "Warnings", Severity.INFO: "Notes"}


def write(report: Report) -> str:
    """Write the report as an HTML page."""
    environment = page_environment()
    script, style = (_whole(environment, name) for name in ("_page.js", "_style.css"))
    return environment.get_template("report.html.j2").render(
        report=report,
        checks=order.explained(report),
        anchors=order.anchors(report),
        traced={(each.part, each.text): each for each in report.traces},
        apart=_apart(report),
        next_command=next_step.next_command(report),
        loaders=loaders.loader_rows(report),
        top_facts=list(top_facts.facts(report)),
        subjects=subject_rows(report),
        opened=OPENED,
        headline=HEADLINES[report.verdict],
        unexamined=unexamined(report),
        findings=[(level, order.alike(each)) for level, each in order.by_severity(report)],
        found_suites=sorted({r.check.partition("/")[0] for r in report.results if r.findings}),
        suppressed=order.suppressed(report),
        severities=SEVERITIES,
        cause_counts=order.cause_counts(report),
        status_words=status_words(report),
        folded=_folded(report),
        figures=figures.arrange(report),
        views=comparison.views(report),
        side_labels=comparison.side_labels(report),
        groups=comparison.groups(report),
        all_sides=comparison.all_sides(report),
        facets_of_each=comparison.facet_matrix(report),
        signs=comparison.SIGNS,
        legend=comparison.LEGEND,
        timing=_timing(report),
        script=script,
        script_hash=_hash(script),
        style=style,
        style_hash=_hash(style),
    )


def show(text: object, spaces: bool = False, breaks: bool = False) -> Markup:
    """Draw invisible characters of a text as signs; with `breaks`, lines also break."""
    from markupsafe import Markup, escape

    parts = []
    for run in runs(str(text), spaces=spaces):
        sign = Markup('<span class="sign">{}</span>').format(SIGNS.get(run.text, run.text))
        line_end = "\n" if breaks and run.marked and run.text == "⏎" else ""
        parts.append((sign if run.marked else escape(run.text)) + line_end)
    return Markup("").join(parts)


def prose(text: str) -> Markup:
    """Set a sentence of a check, with the code in it set as code."""
    from markupsafe import Markup

    code = Markup("<code>{}</code>")
    parts = (code.format(show(e.text)) if e.code else show(e.text) for e in spans(text))
    return Markup("").join(parts)


def piece(text: str | None) -> Markup:
    """Draw a token's piece: a sign for an empty one, and nothing for an id without a name."""
    from markupsafe import Markup

    if text is None:
        return Markup("")
    return show(text[:200], spaces=True) if text else Markup('<span class="sign">empty</span>')


def evidence_text(evidence: Evidence) -> str | None:
    """Return the text of an evidence, in whichever field it is."""
    return text_of(evidence.text, evidence.text_base64)


def traced_both(comparison: Comparison) -> dict[str, TracedBySides]:
    """Return the stages of both sides by their text."""
    return {each.text: each for each in comparison.traces}


def _folded(report: Report) -> list[tuple[Status, list[CheckResult]]]:
    """Return the checks that need no attention, which the page keeps closed."""
    groups = (
        (status, [r for r in order.by_status(report) if r.status is status]) for status in FOLDED
    )
    return [(status, results) for status, results in groups if results]


def _apart(report: Report) -> list[TracedText]:
    """Return the traces of texts that no finding shows."""
    shown = {
        (result.part, evidence.text)
        for result in report.results
        for finding in result.findings
        for evidence in finding.evidence
    }
    return [each for each in report.traces if (each.part, each.text) not in shown]


def _whole(environment: Environment, name: str) -> Markup:
    """Return a file of ours, escaped for its place in the page."""
    from markupsafe import Markup

    return Markup(environment.get_template(name).render())


def _suites(group: order.Alike) -> str:
    """Return the suites of a card's findings, by which the page filters."""
    found = (each for cause in group.members for each in (cause.finding, *cause.explains))
    return " ".join(sorted({each.check.partition("/")[0] for each in found}))


def _hash(text: str) -> Markup:
    """Return the source expression with which a content policy allows this very text."""
    from markupsafe import Markup

    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return Markup(f"'sha256-{digest}'")


def _timing(report: Report) -> dict[str, Any]:
    timing = report.timing
    parts = {
        "upstream": timing.upstream,
        "reference": timing.reference,
        "spec analysis": timing.spec_analysis,
        "other": timing.other,
    }
    data = [bars.Datum(name, name, seconds) for name, seconds in parts.items()]
    return {"parts": parts, "drawn": [bars.draw(data, size) for size in bars.SIZES]}


def _in_sizes(draw: Callable[[Any, bars.Size], Any]) -> Callable[[Any], list[Any]]:
    """Draw a chart for wide pages and one for narrow ones, of which the page shows one."""
    return lambda data: [draw(data, size) for size in bars.SIZES]


def _seen(value: Any) -> Any:
    """Make a printed string visible: nothing in it may act on the page around it."""
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


FILTERS: dict[str, Callable[..., Any]] = {
    "runtime_rows": runtime_rows,
    "show": show,
    "piece": piece,
    "prose": prose,
    "of_part": of_part,
    "suppressed_by": suppressed_by,
    "number": order.number,
    "counted": counted,
    "suites": _suites,
    "explains": order.explains_text,
    "ids_apart": order.ids_apart,
    "size": order.size_text,
    "value": order.value_text,
    "changes": repair_lines,
    "implied": implied,
    "cut": cut,
    "evidence_text": evidence_text,
    "window": order.token_window,
    "turns": order.turns,
    "mask_known": order.mask_known,
    "slug": lambda name: re.sub(r"[^a-z0-9]+", "-", name.lower()),
    "relation_outcome": comparison.relation_outcome,
    "traces_of": comparison.traces_of,
    "even_costs": even.even_costs,
    "even_entries": even.even_entries,
    "even_sentence": even.even_sentence,
    "corpus_texts": order.corpus_texts,
    "traced_both": traced_both,
    "parting": first_parting,
    "chart": _in_sizes(bars.of_series),
    "growth_chart": _in_sizes(growth.of_growth),
    "scatter_chart": _in_sizes(scatter.of_scatter),
    "second_number": points.second_number,
    "cost_chart": _in_sizes(bars.of_costs),
    "entries_chart": _in_sizes(bars.of_entries),
    "short_names": replacement.short_names,
    "costs_of": replacement.costs_of,
    "coverage_rows": replacement.coverage_rows,
    "ranking": replacement.ranking,
    "dimensions": figures.dimensions_text,
    "shell": shlex.quote,
    "by_key": values_by_key,
    "never_run": never_run,
}


@cache
def page_environment() -> Environment:
    """Return the environment that renders the templates, each of which it compiles once."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("tokaudit_reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_seen,
    )
    environment.filters.update(FILTERS)
    environment.tests["row"] = order.has_row
    return environment


WRITER = ReportWriter("html", (".html", ".htm"), write)
