"""The verdict is the last line wherever text is printed, and a pass is eight lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tokaudit.report.model import (
    CheckResult,
    Evidence,
    Measurement,
    Place,
    Status,
    TokenView,
    Verdict,
)
from tokaudit.report.recorded import LoaderRecord, LoaderState
from tokaudit.report.report import Report
from tokaudit.report.writer import Look
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_reports import github, html, junit, markdown, sarif, terminal

PERSON = Look()


def lines(report: Report, look: Look) -> list[str]:
    return [line for line in terminal.draw(report, look).split("\n") if line]


def test_the_verdict_is_the_last_line_in_a_pipe_too(full: Report) -> None:
    shown = lines(full, replace(PERSON, width=400))
    assert [line.split(":")[0] for line in shown[-4:]] == [
        "findings",
        "checks",
        "scope",
        "FAIL  my model",
    ]


def test_a_file_ends_with_the_verdict_and_has_the_measurements(full: Report) -> None:
    shown = [line for line in terminal.write(full).split("\n") if line]
    at = next(n for n, line in enumerate(shown) if line.startswith("FAIL  my model"))
    assert at > len(shown) - 4
    assert "Measurements" in shown


def test_a_pass_with_notes_is_eight_lines(full: Report) -> None:
    notes = tuple(replace(full.findings[1], cause=f"shown {n}", message="x" * 300) for n in "abcde")
    found = CheckResult("roles/eos", Status.PASSED, findings=notes)
    base = CheckResult("a/base", Status.SKIPPED, "no --base", not_given=True)
    bases = [replace(base, check=f"a/base-{n}") for n in range(13)]
    other = CheckResult("a/against", Status.SKIPPED, "no --against", not_given=True)
    results = (found, *bases, other, *full.results[2:3])
    counts = {"passed": 40, "skipped": 14, "info": 5}
    passed = replace(
        full, verdict=Verdict.PASS, results=results, summary=counts, comparison=None, checks=()
    )
    shown = lines(passed, PERSON)
    assert len(shown) <= 8
    assert shown[0].startswith("note roles/eos:shown-a  xxx")
    assert shown[2] == "3 more notes: roles/eos:shown-c, roles/eos:shown-d, roles/eos:shown-e"
    assert (
        "not examined: weights; base (--base FOLDER, 13 checks); another encoder (--against ENCODER)"
        in shown
    )
    assert shown[-1].startswith("PASS  my model: No error was found")


def test_scope_and_loaders_of_a_model_take_a_line_each(quiet: Report) -> None:
    run = LoaderRecord("tokenizers 0.23.3", "run", LoaderState.AGREES, 1853, 0, "the reference")
    loads = [
        LoaderRecord(f"transformers {version}", "emulated", LoaderState.LOADS)
        for version in (FOUR, FIVE)
    ]
    rows = "all 459 rows of model.embed_tokens.weight and lm_head.weight"
    scope = f"tokenizer, the names and shapes of 2 tensors and {rows}"
    assert lines(replace(quiet, scope=scope, loaders=(run, *loads)), PERSON)[-3:-1] == [
        "loaders: tokenizers 0.23.3 and the reference agree on all 1,853 texts; "
        f"transformers {FOUR} and {FIVE} load it (emulated)",
        f"scope: {scope}",
    ]


def test_what_leaves_the_verdict_open_comes_first(full: Report) -> None:
    why = "xllamacpp is not installed, so llama.cpp cannot run gguf files; run: pip install x"
    base = CheckResult("a/base", Status.SKIPPED, "no --base", not_given=True)
    results = (base, CheckResult("a/b", Status.SKIPPED, why), *full.results[2:3])
    undecided = replace(full, verdict=Verdict.UNVERIFIABLE, results=results, comparison=None)
    shown = lines(undecided, replace(PERSON, width=400))
    assert shown[0] == f"not examined: {why}: a/b"


def test_a_finding_is_named_with_its_cause_and_the_line_that_accepts_it(full: Report) -> None:
    shown = lines(full, replace(PERSON, width=400))
    assert any(
        line.startswith("  roles/eos:shown  the end of a turn has id 32007") for line in shown
    )
    accepting = (
        '[[suppressions]] in tokaudit.toml with identity = "roles/eos:shown", reason = "..."'
    )
    assert f"    to accept this error: {accepting}" in shown


def test_runs_of_spaces_are_drawn(full: Report) -> None:
    spaces = replace(full.findings[0], message="the token '    ' is missing")
    found = CheckResult("a/b", Status.FAILED, findings=(spaces,))
    shown = "\n".join(lines(replace(full, results=(found,)), PERSON))
    assert "the token '␠␠␠␠' is missing" in shown


def test_a_share_is_a_percentage(full: Report) -> None:
    joined = [
        Measurement(
            "a/b", "Concatenation-safe pairs", value, "share", 9, "", None, {"joined": name}
        )
        for name, value in (("directly", 0.99), ("across a line end", 0.97))
    ]
    found = CheckResult("a/b", Status.PASSED, measurements=tuple(joined), only_measured=True)
    shown = lines(replace(full, results=(found,), comparison=None), PERSON)
    assert "  Concatenation-safe pairs by joined: directly 99 %, across a line end 97 %" in shown


def test_measurements_are_counted_where_nobody_asked_for_them(full: Report) -> None:
    shown = "\n".join(lines(full, PERSON))
    assert f"{len(full.measurements)} measurements: --measurements shows them" in shown
    assert "\nMeasurements" not in shown


def test_measurements_are_shown_where_they_are_asked_for(full: Report) -> None:
    assert "Measurements" in lines(full, replace(PERSON, measurements=True))


def test_what_there_is_none_of_is_not_counted(full: Report) -> None:
    counted = [line for line in lines(full, PERSON) if line.startswith(("findings", "checks"))]
    assert not any(f" {0} " in line for line in counted)


def test_checks_that_only_measure_are_counted_where_no_other_was_asked(full: Report) -> None:
    figures = CheckResult("fertility/domains", Status.PASSED, only_measured=True)
    alone = replace(full, results=(figures, figures), summary={})
    assert "checks: 2 only measured" in lines(alone, PERSON)


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
