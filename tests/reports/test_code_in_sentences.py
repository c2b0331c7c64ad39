"""The code that a check quotes in its sentences is set as code, in each format in its own way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tokaudit.report.model import CheckResult, Finding, Severity, Status
from tokaudit.report.recorded import CheckRecord
from tokaudit.report.report import Report
from tokaudit_reports import html, markdown, sarif, terminal

WHY = "A server passes `enable_thinking` on."
REMEDY = "Write `arguments|tojson`, not ` alone."
ATTACK = "Write `<img onerror=x>` and ##`[group]`."


@pytest.fixture
def quoting(full: Report) -> Report:
    """A failed audit with one finding, whose check quotes code."""
    finding = Finding(Severity.ERROR, "It is wrong", remedy=REMEDY, cause="shown")
    found = CheckResult("a/b", Status.FAILED, "", (finding,))
    check = CheckRecord("a/b", "A title", WHY, REMEDY, Severity.ERROR)
    return replace(full, results=(found,), checks=(check,), comparison=None)


def attacked(report: Report) -> Report:
    """The same with a remedy that holds what the subject said."""
    [result] = report.results
    finding = replace(result.findings[0], remedy=ATTACK)
    return replace(report, results=(replace(result, findings=(finding,)),))


def test_the_page_has_an_element_for_it(quoting: Report) -> None:
    page = html.write(quoting)
    assert "A server passes <code>enable_thinking</code> on." in page
    assert "Write <code>arguments|tojson</code>, not ` alone." in page


def test_markdown_keeps_it_as_it_is_and_escapes_the_rest(quoting: Report) -> None:
    assert r"Write `arguments|tojson`, not \` alone." in markdown.write(quoting)


def test_a_terminal_with_colours_draws_it_bold_and_one_without_keeps_the_quotes(
    quoting: Report,
) -> None:
    assert "passes \x1b[1menable_thinking\x1b[0m on." in terminal.write(quoting, color=True)
    assert WHY in terminal.write(quoting)


def test_code_hosts_get_it_as_markdown_and_as_text(quoting: Report) -> None:
    written = sarif.write(quoting)
    assert f'"text": "{REMEDY}"' in written
    assert r'"markdown": "Write `arguments|tojson`, not \\` alone."' in written


def test_nothing_acts_in_code_that_came_from_the_subject(quoting: Report) -> None:
    report = attacked(quoting)
    assert "Write <code>&lt;img onerror=x&gt;</code> and" in html.write(report)
    assert r"Write `<img onerror=x>` and ##`[group]`." in markdown.write(report)
    assert "##[" not in terminal.write(report) + terminal.write(report, color=True)
