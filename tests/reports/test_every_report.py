"""Reports say what was found, escape what came from the subject, and can be read again."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

import tokaudit_reports
from tokaudit.foundation.errors import UsageError
from tokaudit.report.model import (
    CheckResult,
    Evidence,
    Finding,
    Measurement,
    Place,
    Severity,
    Status,
    TokenView,
    Verdict,
)
from tokaudit.report.reading import decode_report
from tokaudit.report.report import Report
from tokaudit.report.writer import ReportWriter, all_writers
from tokaudit_reports import html, json_report, terminal
from tokaudit_reports.charts import bars, figures
from tokaudit_reports.charts.growth import of_growth

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


def test_the_schema_has_an_id_of_its_major_version() -> None:
    schema = json.loads(SCHEMA.read_text())
    assert (schema["$id"], schema["title"]) == (
        "https://tokaudit.dev/report/v1",
        "A tokaudit report (tokaudit.report/1)",
    )


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


def test_the_page_needs_nothing_from_outside_and_runs_its_own_script_alone(report: Report) -> None:
    whole = html.write(report)
    (script,) = re.findall(r"<script>(.*?)</script>", whole, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in whole
    page = whole.lower()
    assert "default-src 'none'" in page and "unsafe" not in page
    assert page.count("<script") == 1
    for forbidden in (
        "javascript:",
        " style=",
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


def test_a_notebook_gets_the_page_as_one_element_that_nothing_in_it_ends(hostile: Report) -> None:
    shown = hostile._repr_html_()
    assert shown.count("<") == 2 and shown.endswith("></iframe>")


def test_the_figures_of_several_tokenizers_are_not_mixed(full: Report) -> None:
    one = full.result("fertility/languages")
    parts = tuple(replace(one, part=part) for part in ("a", "b"))
    found = figures.arrange(replace(full, results=parts))
    assert [each.heading for each in found.series if each.key == "fertility/parity"] == [
        "Parity [a]",
        "Parity [b]",
    ]
    assert [each.title for each in found.growths] == [
        "Time for one text [a] by length",
        "Time for one text [b] by length",
    ]
    assert [figures.dimensions_text(each) for each in found.single] == [
        "tokenizer a",
        "tokenizer b",
    ]


def test_figures_by_length_are_lines_on_logarithmic_axes(full: Report) -> None:
    (growth,) = figures.arrange(full).growths
    assert [(line.label, [n for n, _ in line.points]) for line in growth.lines] == [
        ("words", [1_000, 2_000, 10_000]),
        ("spaces", [1_000, 2_000, 10_000]),
    ]
    drawn = of_growth(growth)
    assert [label for _, label in drawn.lengths] == ["10,000", "2,000", "1,000"]
    assert [label for _, label in drawn.values] == ["0.10", "0.30", "1", "3", "10"]
    words, spaces = ([mark.y for mark in line.marks] for line in drawn.lines)
    climbed = [(line[0] - line[2]) for line in (words, spaces)]
    assert climbed[1] == pytest.approx(2 * climbed[0], abs=0.2)


def test_a_figure_of_nothing_has_no_place_on_logarithmic_axes(full: Report) -> None:
    result = full.result("fertility/languages")
    measured = tuple(
        replace(m, value=0.0) if m.dimensions.get("length") == "1000" else m
        for m in result.measurements
    )
    found = figures.arrange(replace(full, results=(replace(result, measurements=measured),)))
    assert found.growths == ()
    assert [each.title for each in found.series if each.key == "throughput/milliseconds"] == [
        "Time for one text, 1000 by text",
        "Time for one text, 10000 by text",
        "Time for one text, 2000 by text",
    ]


def test_a_page_of_two_hundred_findings_is_small_enough_to_send(full: Report) -> None:
    many = tuple(replace(full.results[0], part=f"part_{n}") for n in range(100))
    page = html.write(replace(full, results=(*many, *full.results)))
    assert page.count('class="member"') == 204
    assert len(page.encode()) < 1_500_000


def test_two_tokenizers_side_by_side_are_drawn_where_both_have_a_figure(full: Report) -> None:
    found = full.comparison.side_by_side  # type: ignore[union-attr]
    assert found is not None
    costs, scripts = bars.of_costs(found.languages), bars.of_entries(found.by_script)
    assert [(bar.label, bar.value) for bar in costs.bars] == [("Burmese", "3"), ("English", "1")]
    assert costs.one is not None
    assert [(bar.label, bar.value) for bar in scripts.bars] == [("Latin", "50"), ("Cyrillic", "0")]
    assert "Entries that both vocabularies have, by script" in html.write(full)


def test_a_pass_is_short_on_a_terminal_and_leaves_the_evidence_of_notes_to_the_page(
    full: Report,
) -> None:
    note = replace(full.results[0].findings[0], severity=Severity.INFO)
    held = replace(full.results[0], status=Status.PASSED, findings=(note,))
    drawn = terminal.write(
        replace(full, verdict=Verdict.PASS, comparison=None, results=(held, *full.results[2:]))
    )
    assert note.message[:60] in drawn
    assert "tokenizer_config.json" not in drawn
    assert len(drawn.splitlines()) <= 40


def test_a_label_that_is_a_number_is_not_run_together_with_its_figure(full: Report) -> None:
    entries = [
        Measurement(
            "vocab/entries_by_length", "Entries by length", value, "entries", 1, "", dimensions=of
        )
        for value, of in ((147.0, {"characters": "1"}), (2048.0, {"characters": "2"}))
    ]
    results = (CheckResult("vocab/contents", Status.PASSED, measurements=tuple(entries)),)
    said = all_writers()["terminal"].write(replace(full, results=results))
    assert "characters (entries): 1: 147, 2: 2,048" in said


def test_the_page_keeps_the_spaces_of_messages_and_of_what_files_state(full: Report) -> None:
    finding = Finding(
        Severity.ERROR,
        "'a  b' becomes 'a b'",
        (Place("vocab", "a  b", value="x  y"),),
        cause="spaces",
    )
    results = (CheckResult("s/c", Status.FAILED, "", (finding,)),)
    page = all_writers()["html"].write(replace(full, results=results))
    assert "a  b" in page and "x  y" in page
    for rule in (".finding .message", "code", "h1"):
        (style,) = re.findall(rf"^{re.escape(rule)} \{{([^}}]*)\}}", page, re.M)
        assert "white-space: pre-wrap" in style


def test_the_page_draws_an_empty_piece_as_a_sign_and_none_for_an_id_without_name(
    full: Report,
) -> None:
    named = (TokenView(7, ""), TokenView(8, None), TokenView(9, "empty"))
    shown = Evidence("text", text="x", expected=named, actual=named)
    finding = Finding(Severity.ERROR, "m", (), (shown,), cause="c")
    results = (CheckResult("s/c", Status.FAILED, "", (finding,)),)
    page = all_writers()["html"].write(replace(full, results=results))
    assert page.count('<bdi><span class="sign">empty</span></bdi>') == 2
    assert page.count("<bdi>empty</bdi>") == 2


def test_the_page_says_of_each_row_how_many_tokens_are_left_out(full: Report) -> None:
    views = tuple(TokenView(number, "x") for number in range(40))
    shown = Evidence("text", text="x", expected=views, actual=views[:3], first_difference=3)
    finding = Finding(Severity.ERROR, "m", (), (shown,), cause="c")
    results = (CheckResult("s/c", Status.FAILED, "", (finding,)),)
    page = all_writers()["html"].write(replace(full, results=results))
    assert re.findall(r"(\d+) after</li>", page) == ["19"]
