"""Writes a report as Markdown, for a pull request or the summary of a job."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tokaudit.report.model import Severity, Status
from tokaudit.report.repair_words import labelled_lines
from tokaudit.report.report import Report
from tokaudit.report.visible import visible
from tokaudit.report.wording import minimal_text, place_words
from tokaudit.report.writer import ReportWriter
from tokaudit_reports.arrange import (
    Held,
    Reported,
    both_sides,
    by_severity,
    counts,
    explains_text,
    suppressed,
)
from tokaudit_reports.facet_results import with_facets
from tokaudit_reports.replacement import model_card

ACTING = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~&@$:])")  # what Markdown, or a link in it, obeys
SIGNS = {"pass": "✅", "fail": "❌", "unverifiable": "⚠️"}


def write(report: Report) -> str:
    """The verdict, then each finding with its minimal text and what to do."""
    sign = SIGNS[report.verdict]
    lines = [
        f"## {sign} tokaudit: {report.verdict} {_plain(report.title)}",
        "",
        _plain(report.sentence),
        "",
        *_relations(report),
        *(line for found in report.replacements for line in (*model_card(found), "")),
    ]
    for severity, findings in by_severity(with_facets(report)):
        lines += [f"### {severity.capitalize()} ({len(findings)})", ""]
        lines += [text for each in findings for text in _finding(each)]
        lines.append("")
    if held := suppressed(report):
        lines += [f"### Suppressed ({len(held)})", ""]
        lines += [text for each in held for text in _suppressed(each)]
        lines.append("")
    lines += [f"{_checked(report)}Scope: {_plain(report.scope)}.", ""]
    return "\n".join(lines)


def _relations(report: Report) -> Iterator[str]:
    """What the sides of a comparison are to each other, a line for each two."""
    for each in (report.comparison, *report.further) if report.compared else ():
        if each is not None:
            left, right = both_sides(each)
            texts = f"{each.different:,} of {each.texts:,} texts differ"
            yield f"- {_code(left)} against {_code(right)}: {each.relation}; {texts}"
            known = [f"{_plain(f.name)} {f.outcome}" for f in each.facets]
            yield f"  - {'; '.join(known)}"
    if report.compared:
        yield ""


def _checked(report: Report) -> str:
    """How many checks ended in which way; the facets of a comparison are listed instead."""
    if report.compared:
        return ""
    counted = ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in counts(report, Status))
    return f"Checks: {counted}. "


def _finding(reported: Reported) -> Iterator[str]:
    finding = reported.finding
    yield f"- **{_code(reported.title)}** {_plain(finding.message)}"
    for place in finding.places[:3]:
        if where := place_words(place):
            yield f"  - in {_code(where)}"
    text = minimal_text(finding)
    if text is not None:
        yield f"  - minimal text: {_code(text, spaces=True)}"
    if finding.remedy and finding.severity is not Severity.INFO:
        yield f"  - what to do: {_plain(finding.remedy)}"
    for line in labelled_lines(finding.repair)[:3] if finding.repair else ():
        yield f"  - {_plain(line)}"
    if reported.explains:
        yield f"  - {explains_text(reported)}:"
    for each in reported.explains:
        said = f"{each.finding.severity}: {_plain(each.finding.message)}"
        yield f"    - **{_code(each.title)}** {said}"


def _suppressed(held: Held) -> Iterator[str]:
    finding = held.suppressed.finding
    yield f"- **{_code(held.title)}** {finding.severity}: {_plain(finding.message)}"
    yield f"  - {_plain(held.why)}"


def _plain(text: str) -> str:
    """A text in which Markdown finds nothing to obey.

    >>> print(_plain("see [a](http://b) <img> |x|"))
    see \\[a\\]\\(http\\://b\\) \\<img\\> \\|x\\|
    """
    return ACTING.sub(r"\\\1", visible(text))


def _code(text: str, *, spaces: bool = False) -> str:
    """A text in a code span, which no backtick or bar in it can end.

    >>> _code("a`b|c")
    '`aˋb¦c`'
    """
    shown = visible(text, spaces=spaces).replace("`", "ˋ").replace("|", "¦")
    return f"`{shown or ' '}`"


WRITER = ReportWriter("markdown", (".md",), write)
