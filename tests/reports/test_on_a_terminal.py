"""On a terminal the verdict is read last, and a pass is one screen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tokaudit.report.model import CheckResult, Evidence, Place, Status, TokenView
from tokaudit.report.report import Report
from tokaudit.report.writer import Look
from tokaudit_reports import github, html, junit, markdown, sarif, terminal

PERSON = Look(interactive=True, measurements=False)


def lines(report: Report, look: Look) -> list[str]:
    return [line for line in terminal.draw(report, look).split("\n") if line]


def test_a_person_reads_the_verdict_and_the_counts_last(full: Report) -> None:
    shown = lines(full, PERSON)
    at = next(n for n, line in enumerate(shown) if line.startswith(full.verdict.upper()))
    assert [line.split(":")[0].strip() for line in shown[-3:]] == ["scope", "findings", "checks"]
    assert at > len(shown) - 12


def test_a_file_begins_with_the_verdict(full: Report) -> None:
    assert lines(full, Look())[0].startswith(full.verdict.upper())


def test_measurements_are_counted_where_nobody_asked_for_them(full: Report) -> None:
    shown = "\n".join(lines(full, PERSON))
    assert f"{len(full.measurements)} measurements: --measurements shows them" in shown
    assert "\nMeasurements" not in shown


def test_measurements_are_shown_where_they_are_asked_for(full: Report) -> None:
    assert "Measurements" in lines(full, replace(PERSON, measurements=True))


def test_what_there_is_none_of_is_not_counted(full: Report) -> None:
    counted = [line for line in lines(full, PERSON) if line.startswith(("  findings", "  checks"))]
    assert not any(f" {0} " in line for line in counted)


def test_checks_that_only_measure_are_counted_where_no_other_was_asked(full: Report) -> None:
    figures = CheckResult("fertility/domains", Status.PASSED, only_measured=True)
    alone = replace(full, results=(figures, figures), summary={})
    assert "  checks: 2 only measured" in lines(alone, PERSON)


@pytest.fixture
def explained(full: Report) -> Report:
    """A report in which one finding is the cause of another."""
    result = next(each for each in full.results if each.findings)
    tokens = (TokenView(7, "ab"),)
    place = Place("vocab", "tokenizer.json", "/model/vocab", [7])
    cause = replace(result.findings[0], message="it is the cause", places=(place,), evidence=())
    seen = Evidence("text", text="x", expected=tokens, first_difference=0)
    below = replace(cause, message="it is below", places=(Place("tokenizer"),), evidence=(seen,))
    held = replace(result, status=Status.FAILED, findings=(below, cause), suppressed=())
    return replace(full, results=(held,), comparison=None)


@pytest.mark.parametrize(
    "write", [terminal.write, html.write, markdown.write, github.write], ids=lambda w: w.__module__
)
def test_what_a_cause_explains_is_below_it(write: object, explained: Report) -> None:
    shown = write(explained)  # type: ignore[operator]
    assert "xplains 1 more finding" in shown
    assert shown.index("it is the cause") < shown.index("it is below")


def test_programs_are_told_what_explains_a_finding(explained: Report) -> None:
    cause = explained.causes[0].finding.identity
    assert f"Explained by {cause}." in junit.write(explained)
    assert f'"explainedBy": "{cause}"' in sarif.write(explained)
    assert '"relatedLocations"' in sarif.write(explained)
    assert explained.to_dict()["causes"][0] | {"identity": ""} == {
        "severity": "error",
        "identity": "",
        "part": "",
        "finding": 1,
        "explains": [0],
    }
