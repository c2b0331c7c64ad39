"""JUnit, SARIF, Markdown and GitHub's commands say what report.json says, and nothing acts."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import jsonschema
import pytest
from junitparser import JUnitXml
from locations import ROOT

from tokaudit.report.model import CheckResult, Evidence, Finding, Place, Severity, Status
from tokaudit.report.report import Report
from tokaudit_reports import github, junit, markdown, sarif

OASIS = "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/"
SARIF_SCHEMAS = {
    OASIS: ROOT / ".venv/npm/sarif-oasis/sarif-schema-2.1.0.json",
    "https://raw.githubusercontent.com/schemastore/": ROOT
    / ".venv/npm/package/lib/schemas/sarif-2.1.0-rtm.5.json",
}
"""Of the committee, and of the kit for writers as it was before; who names each, and where it is."""


@pytest.fixture(params=["full", "quiet", "hostile"])
def report(request: pytest.FixtureRequest) -> Report:
    found: Report = request.getfixturevalue(request.param)
    return found


def findings(report: Report, *severities: Severity) -> list[Finding]:
    return [f for f in report.findings if f.severity in (severities or tuple(Severity))]


def test_each_error_is_one_failure_in_junit(report: Report) -> None:
    suite = ElementTree.fromstring(junit.write(report)).find("testsuite")
    assert suite is not None
    assert len(suite.findall("testcase/failure")) == len(findings(report, Severity.ERROR))
    assert int(suite.get("failures", "")) == len(findings(report, Severity.ERROR))
    assert int(suite.get("tests", "")) == len(suite.findall("testcase"))


def test_a_case_in_junit_is_named_by_check_and_cause_and_says_what_accepts_it(
    quiet: Report,
) -> None:
    found = Finding(Severity.WARNING, "two rows are missing", cause="short", check="a/rows")
    result = CheckResult("a/rows", Status.PASSED, findings=(found, found), part="models/a")
    (suite,) = ElementTree.fromstring(junit.write(replace(quiet, results=(result,))))
    first, second = suite.iter("testcase")
    assert first.get("name") == "a/rows:short [models/a]"
    assert second.get("name") == "a/rows:short [models/a] (2)"
    accepting = '[[suppressions]] in tokaudit.toml with identity = "a/rows:short", reason = "..."'
    assert f"To accept this warning: {accepting}" in (first.findtext("system-out") or "")


def test_junitparser_counts_what_the_report_counts(report: Report) -> None:
    read = JUnitXml.fromstring(junit.write(report).encode())
    assert read.failures == len(findings(report, Severity.ERROR))
    crashed = [result for result in report.results if result.status is Status.CRASHED]
    assert read.errors == len(crashed)
    assert read.tests == sum(1 for suite in read for _ in suite)


def test_a_check_without_findings_is_one_case_in_junit(quiet: Report) -> None:
    shown = [
        case.get("name") for case in ElementTree.fromstring(junit.write(quiet)).iter("testcase")
    ]
    assert sorted(set(shown)) == sorted(shown)
    assert {r.check for r in quiet.results if not r.findings} <= set(shown)


def test_the_parts_of_a_repository_are_named_in_junit(full: Report) -> None:
    results = tuple(CheckResult("s/c", Status.PASSED, part=part) for part in ("", "tokenizer_2"))
    cases = ElementTree.fromstring(junit.write(replace(full, results=results))).iter("testcase")
    assert [case.get("name") for case in cases] == ["s/c", "s/c [tokenizer_2]"]


def test_a_skipped_and_a_crashed_check_are_told_apart_in_junit(full: Report) -> None:
    results = (
        CheckResult("s/skipped", Status.SKIPPED, "no weights"),
        CheckResult("s/crashed", Status.CRASHED, "KeyError"),
    )
    suite = ElementTree.fromstring(junit.write(replace(full, results=results)))[0]
    skipped, crashed = suite.find("testcase/skipped"), suite.find("testcase/error")
    assert skipped is not None
    assert crashed is not None
    assert (skipped.get("message"), crashed.get("message")) == ("no weights", "KeyError")


def test_each_finding_is_one_result_in_sarif_and_each_check_a_rule(report: Report) -> None:
    run = json.loads(sarif.write(report))["runs"][0]
    assert len(run["results"]) == len(findings(report))
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules)) == len({r.check for r in report.results})
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])


@pytest.mark.parametrize("publisher", SARIF_SCHEMAS, ids=["oasis", "kit"])
@pytest.mark.parametrize("name", ["full", "quiet", "hostile", "held"])
def test_sarif_is_valid_by_the_published_schema(
    name: str, publisher: str, request: pytest.FixtureRequest
) -> None:
    report: Report = request.getfixturevalue(name)
    path = SARIF_SCHEMAS[publisher]
    if not path.is_file():
        pytest.skip("no schema of SARIF here: make .venv/sarif (needs npm)")
    schema = json.loads(path.read_text("utf-8"))
    assert schema.get("$id", schema.get("id", "")).startswith(publisher)
    validator = jsonschema.validators.validator_for(schema)(schema)
    faults = validator.iter_errors(json.loads(sarif.write(report)))
    assert [f"{fault.json_path}: {fault.message}"[:300] for fault in faults] == []


def test_a_fingerprint_stays_when_only_figures_change() -> None:
    place = Place("embeddings", "model.safetensors", "/a")
    one = Finding(Severity.ERROR, "2 rows lack", (place,), cause="short")
    more = replace(one, message="3 rows lack", places=(replace(place, value=7),))
    elsewhere = replace(one, places=(replace(place, file="other.safetensors"),))
    marks = [sarif.fingerprint("embeddings/rows", f) for f in (one, more, elsewhere)]
    assert marks[0] == marks[1] != marks[2]


@pytest.mark.parametrize(
    ("subject", "file", "address"),
    [
        ("a b", "x y#1/tokenizer.json", "a%20b/x%20y%231/tokenizer.json"),
        ("models/a/tokenizer.json", "tokenizer.json", "models/a/tokenizer.json"),
        ("./models/a/", "", "models/a"),
        (".", "models/a/tokenizer.json", "models/a/tokenizer.json"),
        ("ci/../models/a", "vocab.txt", "models/a/vocab.txt"),
        ("/models/a b", "vocab.txt", "file:///models/a%20b/vocab.txt"),
        ("pkg:acorn", "tokenizer.json", "pkg%3Aacorn/tokenizer.json"),
    ],
)
def test_a_location_in_sarif_is_where_the_file_is_in_the_repository(
    subject: str, file: str, address: str
) -> None:
    location = sarif._location(subject, Place("vocab", file, "/model"))
    assert location["physicalLocation"]["artifactLocation"]["uri"] == address


def test_an_annotation_names_the_file_of_a_subject_that_is_a_file(full: Report) -> None:
    finding = Finding(Severity.ERROR, "a hole", (Place("vocab", "tokenizer.json"),), cause="shown")
    subject = replace(full.subject, name="models/a/tokenizer.json")
    results = (CheckResult("s/c", Status.FAILED, "", (finding,)),)
    first, _ = github.write(replace(full, subject=subject, results=results)).splitlines()
    assert first == (
        "::error file=models/a/tokenizer.json,title=s/c%3Ashown::a hole. To accept this error: "
        '[[suppressions]] in tokaudit.toml with identity = "s/c:shown", reason = "..."'
    )


def test_markdown_gives_each_finding_its_minimal_text_and_what_to_do(full: Report) -> None:
    evidence = Evidence(kind="text", text="a `b`|", minimal=True)
    finding = Finding(
        Severity.ERROR, "ids *differ*", (), (evidence,), "Use the [base].", cause="shown"
    )
    text = markdown.write(
        replace(full, results=(CheckResult("s/c", Status.FAILED, "", (finding,)),))
    )
    assert "- **`s/c:shown`** ids \\*differ\\*" in text
    assert "  - minimal text: `a␠ˋbˋ¦`" in text
    assert "  - what to do: Use the \\[base\\]." in text


def test_a_text_that_nobody_minimised_is_not_called_minimal(full: Report) -> None:
    finding = Finding(
        Severity.ERROR, "ids differ", evidence=(Evidence("text", "ab"),), cause="shown"
    )
    report = replace(full, results=(CheckResult("s/c", Status.FAILED, "", (finding,)),))
    assert "  - text: `ab`" in markdown.write(report)
    for written in (markdown.write(report), github.write(report), sarif.write(report)):
        assert "inimal" not in written


def test_markdown_of_a_poisonous_subject_holds_no_markup_of_its(hostile: Report) -> None:
    text = re.sub(r"`[^`]*`", "", markdown.write(hostile))  # in a code span nothing is markup
    assert not re.search(r"(?<!\\)(<[a-z/!]|\]\()", text)


def test_each_finding_is_one_command_for_github_and_the_verdict_one_more(report: Report) -> None:
    lines = github.write(report).splitlines()
    assert len(lines) == len(findings(report)) + 1
    assert all(
        re.match(r"::(error|warning|notice) (file=[^:,]+,)?title=[^:,]+::", x) for x in lines
    )
    assert not any("::" in x.split("::", 2)[2] for x in lines)
