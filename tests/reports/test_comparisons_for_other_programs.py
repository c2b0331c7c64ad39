"""Formats that know results alone say each facet that differs once, as an error."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from processes import starts_processes

import tokaudit
from tokaudit.report.comparison import Facet, Outcome, Purpose, Suitability
from tokaudit.report.model import Severity, Status, Verdict
from tokaudit.report.report import Report
from tokaudit_folders.folder import Folder
from tokaudit_reports import github, junit, markdown, sarif
from tokaudit_reports.arranged.facet_results import question, with_facets


def folder(name: str, merges: list[list[str]]) -> str:
    Path(name).mkdir()
    Folder.bpe({"a": 0, "b": 1, "ab": 2}, merges).write(Path(name))
    return name


@pytest.fixture
@starts_processes
def compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Report:
    """Two tokenizers, of which the second lacks a merge."""
    monkeypatch.chdir(tmp_path)
    return tokaudit.compare(folder("x", [["a", "b"]]), folder("y", []), tier="quick")


def suited(report: Report, verdict: Verdict) -> Report:
    assert report.comparison is not None
    said = Suitability(Purpose.SERVING, "every text has the same ids", verdict, "broken by merges")
    return replace(report, comparison=replace(report.comparison, suitability=said))


def test_a_facet_that_differs_is_a_failure_in_junit(compared: Report) -> None:
    (failure,) = ElementTree.fromstring(junit.write(compared)).iter("failure")
    assert failure.get("type") == "compare/merges:differs"
    assert (failure.get("message") or "").startswith("x and y differ in merges: ")


def test_it_is_a_result_in_sarif_with_a_rule_and_both_files(compared: Report) -> None:
    (run,) = json.loads(sarif.write(compared))["runs"]
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]] == {
        "id": "compare/merges",
        "shortDescription": {"text": "The tokenizers do not differ in: merges"},
    }
    files = [each["physicalLocation"]["artifactLocation"]["uri"] for each in result["locations"]]
    assert files == ["x/tokenizer.json", "y/tokenizer.json"]
    assert result["properties"] == {"cause": "compare/merges:differs", "minimalText": "ab"}


def test_it_is_an_annotation_of_the_first_file(compared: Report) -> None:
    first, last = github.write(compared).splitlines()
    assert first.startswith(
        "::error file=x/tokenizer.json,line=1,title=compare/merges%3Adiffers::x and y "
    )
    assert last.startswith("::error title=tokaudit::FAIL x: Not interchangeable: x and y differ")


def test_markdown_has_the_relation_the_facets_and_the_text(compared: Report) -> None:
    text = markdown.write(compared)
    assert "Not interchangeable: x and y differ in" in text
    assert "`x` against `y`: resegmented; " in text
    assert "- `x` is `x/tokenizer.json`" in text
    assert "| merges | differs | `ab` |" in text
    assert "| ids, normalizer, " in text and " | proved identical | |" in text
    assert text.count("What to do: ") == 1 and "what to do: " not in text
    assert "  - minimal text: `ab`" in text
    assert "Checks:" not in text


def test_a_purpose_that_holds_makes_notes_of_the_differences(compared: Report) -> None:
    results = with_facets(suited(compared, Verdict.PASS)).results
    assert (results[0].check, results[0].status) == ("compare/for-serving", Status.PASSED)
    assert {f.severity for r in results for f in r.findings} == {Severity.INFO}


def test_a_purpose_that_does_not_hold_is_the_error(compared: Report) -> None:
    results = with_facets(suited(compared, Verdict.FAIL)).results
    errors = [f for r in results for f in r.findings if f.severity is Severity.ERROR]
    assert [f.message for f in errors] == [
        "y cannot take the place of x for serving: broken by merges"
    ]


def test_what_is_not_known_is_skipped_and_what_only_libraries_show_is_an_error(
    compared: Report,
) -> None:
    assert compared.comparison is not None
    unknown = (Facet("merges", Outcome.UNKNOWN, "nothing runs"),)
    report = replace(compared, comparison=replace(compared.comparison, facets=unknown))
    first, second = with_facets(report).results
    assert (first.status, first.reason) == (Status.SKIPPED, "nothing runs")
    assert (second.check, second.status) == ("compare/texts", Status.FAILED)


def test_with_more_than_two_each_result_names_its_side(compared: Report) -> None:
    assert compared.comparison is not None
    third = replace(compared.comparison, right="z")
    parts = {r.part for r in with_facets(replace(compared, further=(third,))).results}
    assert parts == {"y", "z"}


@pytest.mark.parametrize(
    ("id", "asked"),
    [
        ("compare/pre-tokenizer", "The tokenizers do not differ in: pre-tokenizer"),
        ("compare/added-tokens", "The tokenizers do not differ in: added tokens"),
        ("compare/for-cached-ids", "The tokenizers can be exchanged for cached-ids"),
        ("vocab/holes", ""),
    ],
)
def test_each_facet_is_a_question(id: str, asked: str) -> None:
    assert question(id) == asked
