"""Every format counts and lists the findings that are suppressed, and none of them counts."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from tokaudit.engine.outcome.verdict import exit_code, judge
from tokaudit.report.model import Finding, Severity, Suppressed, SuppressedBy, Verdict
from tokaudit.report.reading import decode_report
from tokaudit.report.report import Report
from tokaudit.report.writer import ReportWriter, all_writers
from tokaudit_reports import github, html, junit, markdown, sarif, terminal
from tokaudit_reports.arranged.wording import accepting


@pytest.fixture(params=sorted(all_writers()))
def writer(request: pytest.FixtureRequest) -> ReportWriter:
    return all_writers()[request.param]


def test_errors_that_are_suppressed_do_not_fail_and_the_verdict_says_how_many(
    held: Report,
) -> None:
    assert judge(held.results, (), ()) == (Verdict.PASS, "no errors but 2 suppressed")
    assert exit_code(held, "info") == 0


def test_every_format_lists_each_with_its_reason(writer: ReportWriter, held: Report) -> None:
    text = writer.write(held).replace("\\", "")
    assert "kept for ids of the old release" in text
    assert "recorded in base.json" in text
    assert "3 ids have no token" in text


def test_what_is_suppressed_acts_as_little_as_a_finding(
    writer: ReportWriter, hostile: Report
) -> None:
    finding = hostile.findings[0]
    one = Suppressed(finding, finding.message, SuppressedBy.CONFIGURATION, finding.message)
    results = tuple(replace(r, findings=(), suppressed=(one,)) for r in hostile.results)
    text = writer.write(replace(hostile, results=results))
    assert not set("\x1b\x9b\b\r\0") & set(text)
    assert "<script>alert" not in text or writer.name not in ("html", "junit")


def test_json_keeps_it_through_reading_and_writing(held: Report) -> None:
    assert len(held.suppressed) == 2
    assert decode_report(held.to_json()).suppressed == held.suppressed


def test_sarif_has_results_with_suppressions_and_the_baselines_state(held: Report) -> None:
    first, second = json.loads(sarif.write(held))["runs"][0]["results"]
    assert first["suppressions"] == [
        {
            "kind": "external",
            "justification": "kept for ids of the old release (until 2031-01-31)",
        }
    ]
    assert "baselineState" not in first
    assert second["baselineState"] == "unchanged"


def test_junit_skips_it(held: Report) -> None:
    suite = ElementTree.fromstring(junit.write(held))[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("2", "0", "2")
    names = [case.get("name") for case in suite.iter("testcase")]
    assert names == ["vocab/holes:inside", "vocab/holes:at-the-end"]


def test_github_notes_it_and_markdown_counts_it(held: Report) -> None:
    lines = github.write(held).splitlines()
    assert [line.partition(" ")[0] for line in lines] == ["::notice"] * 3
    assert "### Suppressed (2)" in markdown.write(held)


def test_the_terminal_and_the_page_have_a_part_of_their_own_for_it(held: Report) -> None:
    assert "Suppressed: 2 findings" in terminal.write(held)
    assert "suppressed: 2" in terminal.write(held)
    assert 'href="#suppressed">Suppressed (2)' in html.write(held)


def test_the_first_sentence_does_not_say_that_nothing_was_found(held: Report) -> None:
    assert held.sentence == "No error is left: 1 check passed; 0 warnings; 2 suppressed."


def test_the_printed_report_counts_it(held: Report, quiet: Report) -> None:
    assert "2 suppressed" in str(held).split("\n")
    assert "suppressed" not in str(quiet)


def test_a_change_since_the_manifest_is_accepted_by_a_command_for_all_its_hashes() -> None:
    drift = Finding(Severity.ERROR, "2 hashes differ.", check="gate/manifest", cause="identity")
    assert accepting(drift).startswith('tokaudit gate --accept "REASON"')
    other = Finding(Severity.ERROR, "2 ids are skipped.", check="vocab/holes", cause="inner")
    assert accepting(other).startswith("[[suppressions]] in tokaudit.toml with identity =")
