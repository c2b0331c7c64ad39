"""Reports say what was found, escape what came from the subject, and can be read again."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import tokaudit_reports
from tokaudit.errors import UsageError
from tokaudit.report.reading import decode_report
from tokaudit.report.report import Report
from tokaudit.report.writer import ReportWriter, all_writers
from tokaudit_reports import html, json_report, terminal

SCHEMA = Path(tokaudit_reports.__path__[0]) / "report.schema.json"


@pytest.fixture(params=["full", "quiet", "hostile"])
def report(request: pytest.FixtureRequest) -> Report:
    found: Report = request.getfixturevalue(request.param)
    return found


@pytest.fixture(params=sorted(all_writers()))
def writer(request: pytest.FixtureRequest) -> ReportWriter:
    """Every installed report format."""
    return all_writers()[request.param]


def test_every_format_says_the_verdict_and_is_the_same_each_time(
    writer: ReportWriter, report: Report
) -> None:
    text = writer.write(report)
    assert str(report.verdict) in text.lower()
    assert writer.write(report) == text


def test_every_format_names_each_check_that_found_something(
    writer: ReportWriter, full: Report
) -> None:
    text = writer.write(full)
    assert {r.check for r in full.results if r.findings and r.check not in text} == set()


def test_no_format_passes_on_what_a_terminal_obeys(writer: ReportWriter, hostile: Report) -> None:
    assert not set("\x1b\x9b\b\r\0") & set(writer.write(hostile))


def test_a_report_in_json_keeps_to_the_shipped_schema(report: Report) -> None:
    jsonschema.validate(json.loads(json_report.write(report)), json.loads(SCHEMA.read_text()))


def test_the_shipped_schema_is_the_one_of_the_models() -> None:
    assert json.loads(SCHEMA.read_text()) == json.loads(json.dumps(json_report.schema()))


def test_a_report_written_read_and_written_again_is_the_same(report: Report) -> None:
    text = json_report.write(report)
    assert json_report.write(decode_report(text)) == text


def test_a_field_of_a_later_version_is_ignored(full: Report) -> None:
    data = {**json.loads(json_report.write(full)), "added_later": [1]}
    assert decode_report(json.dumps(data)).verdict is full.verdict


def test_another_major_version_is_refused_by_name(full: Report) -> None:
    data = {**json.loads(json_report.write(full)), "schema": "tokaudit.report/2"}
    with pytest.raises(UsageError, match=r"tokaudit\.report/2"):
        decode_report(json.dumps(data))


def test_the_page_needs_nothing_from_outside_and_runs_nothing(report: Report) -> None:
    page = html.write(report).lower()
    assert "default-src 'none'" in page
    for forbidden in (
        "<script",
        "javascript:",
        '<link rel="stylesheet',
        "<iframe",
        ' src="http',
        "url(http",
    ):
        assert forbidden not in page


def test_the_page_says_the_verdict_and_every_finding(full: Report) -> None:
    page = html.write(full)
    assert page.startswith("<!DOCTYPE html>")
    for result in full.results:
        for _ in result.findings:
            assert result.check in page


def test_the_terminal_gets_no_control_characters_of_the_subject(hostile: Report) -> None:
    text = terminal.write(hostile)
    assert not {c for c in text if (ord(c) < 32 and c != "\n") or c in "\u202e\u2066\x7f\x9b"}


def test_a_later_minor_version_is_read(full: Report) -> None:
    data = {**json.loads(json_report.write(full)), "schema": "tokaudit.report/1.7"}
    assert decode_report(json.dumps(data)).verdict is full.verdict
