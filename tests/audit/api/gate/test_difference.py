"""What `tokaudit report --diff` says of two reports, and the exit code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import tokaudit
from tokaudit.api.gate.difference import difference, lines
from tokaudit.cli import main
from tokaudit.report.comparison import Comparison, Facet, Outcome, Relation
from tokaudit.report.model import CheckResult, Measurement, Status, Suppressed, SuppressedBy
from tokaudit.report.report import Report


@pytest.fixture
def holed(workshop: Path) -> Report:
    return tokaudit.audit("holed", select=["vocab"], tier="quick")


@pytest.fixture
def sound(workshop: Path) -> Report:
    return tokaudit.audit("sound", select=["vocab"], tier="quick")


def measured(report: Report, value: float, key: str = "fertility/parity") -> Report:
    """The report with one more figure."""
    figure = Measurement(key, "P", value, "x", 9, "m", None, {"language": "deu_Latn"})
    result = CheckResult("fertility/languages", report.results[0].status, measurements=(figure,))
    return replace(report, results=(*report.results, result))


def test_a_finding_that_came_is_new_and_counts(holed: Report, sound: Report) -> None:
    found = difference(sound, holed)
    assert found.exit_code == 1
    assert list(lines(found)) == [
        "subject: holed, was sound",
        "verdict: pass, was pass",
        "new: vocab/holes:inner: warning: 1 id below the vocabulary's highest (3) has no token: 2.",
        "unchanged: 0 findings",
    ]


def test_a_finding_that_went_is_gone_and_does_not_count(holed: Report, sound: Report) -> None:
    found = difference(holed, sound)
    assert found.exit_code == 0
    said = [line.partition(":")[0] for line in lines(found)]
    assert said == ["subject", "verdict", "gone", "unchanged"]


@pytest.mark.parametrize("how", ["not asked", "skipped"])
def test_a_finding_is_not_gone_where_its_check_decided_nothing(how: str, holed: Report) -> None:
    results = holed.results
    if how == "not asked":
        kept = tuple(each for each in results if each.check != "vocab/holes")
    else:
        skipped = CheckResult("vocab/holes", Status.SKIPPED, "no time left")
        kept = tuple(skipped if each.check == "vocab/holes" else each for each in results)
    found = difference(holed, replace(holed, results=kept))
    assert found.exit_code == 0
    assert list(lines(found))[1:] == [
        "not examined again: vocab/holes:inner: warning: 1 id below the vocabulary's highest (3) "
        "has no token: 2.",
        "unchanged: 0 findings",
    ]


def test_the_same_report_is_unchanged(holed: Report) -> None:
    found = difference(holed, holed)
    assert found.exit_code == 0
    assert list(lines(found)) == ["verdict: pass, was pass", "unchanged: 1 finding"]


def test_a_finding_that_was_suppressed_meanwhile_is_not_gone(holed: Report) -> None:
    def held(result: CheckResult) -> CheckResult:
        every = tuple(Suppressed(f, "r", SuppressedBy.CONFIGURATION) for f in result.findings)
        return replace(result, findings=(), suppressed=every)

    later = replace(holed, results=tuple(map(held, holed.results)))
    assert list(lines(difference(holed, later)))[1:] == ["unchanged: 1 finding"]


@pytest.mark.parametrize(
    ("was", "now", "code", "said"),
    [
        (2.0, 2.05, 0, "changed: fertility/parity of deu_Latn: 2.05 x, was 2, 1.02 times as much"),
        (2.0, 2.2, 1, "worse: fertility/parity of deu_Latn: 2.2 x, was 2, 1.1 times as much"),
        (2.0, 1.0, 0, "changed: fertility/parity of deu_Latn: 1 x, was 2, 0.5 times as much"),
        (2.0, 2.001, 0, "unchanged: 1 finding"),
    ],
)
def test_a_figure_is_worse_where_it_grew_by_more_than_a_twentieth(
    was: float, now: float, code: int, said: str, holed: Report
) -> None:
    found = difference(measured(holed, was), measured(holed, now))
    assert found.exit_code == code
    assert list(lines(found))[1] == said


def test_the_speed_of_a_machine_is_not_compared(holed: Report) -> None:
    key = "throughput/characters_per_second"
    found = difference(measured(holed, 9.0, key), measured(holed, 1.0, key))
    assert list(lines(found))[1:] == ["unchanged: 1 finding"]


def compared(report: Report, outcome: Outcome) -> Report:
    """The report with a comparison of one facet."""
    relation = Relation.DIFFERENT if outcome is Outcome.DIFFERS else Relation.SAME
    pair = Comparison("a", "b", 9, 0, relation, facets=(Facet("ids", outcome, "why"),))
    return replace(report, comparison=pair)


@pytest.mark.parametrize(
    ("was", "now", "code", "said"),
    [
        (Outcome.IDENTICAL, Outcome.UNKNOWN, 1, "worse: ids of a and b: unknown"),
        (Outcome.UNDIFFERING, Outcome.DIFFERS, 1, "worse: ids of a and b: differs"),
        (Outcome.IDENTICAL, Outcome.EQUIVALENT, 0, "changed: ids of a and b: equivalent (proved)"),
        (Outcome.DIFFERS, Outcome.IDENTICAL, 0, "changed: ids of a and b: proved identical"),
    ],
)
def test_a_facet_of_which_less_is_known_is_worse(
    was: Outcome, now: Outcome, code: int, said: str, sound: Report
) -> None:
    found = difference(compared(sound, was), compared(sound, now))
    assert found.exit_code == code
    assert f"{said} (was: {was})" in lines(found)


def test_a_relation_that_changed_is_named(sound: Report) -> None:
    found = difference(compared(sound, Outcome.IDENTICAL), compared(sound, Outcome.DIFFERS))
    assert "changed: relation of a and b: different (was: same)" in lines(found)


def test_a_pair_that_is_compared_no_more_is_named(sound: Report) -> None:
    found = difference(compared(sound, Outcome.IDENTICAL), sound)
    assert "not examined again: how a and b compare" in lines(found)


def test_the_command_reads_two_files(
    workshop: Path, holed: Report, sound: Report, capsys: pytest.CaptureFixture[str]
) -> None:
    holed.save("holed.json")
    sound.save("sound.json")
    assert main(["report", "--diff", "sound.json", "holed.json"]) == 1
    assert "new: vocab/holes:inner" in capsys.readouterr().out
    assert main(["report", "--diff", "holed.json", "sound.json"]) == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "report takes REPORT.JSON, or --diff OLD.JSON NEW.JSON"),
        (("a.json", "--diff", "a.json", "b.json"), "--diff takes two reports and prints lines"),
        (("--diff", "a.json", "b.json", "--format", "json"), "--diff takes two reports"),
    ],
)
def test_the_command_refuses_what_does_not_go_together(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", *arguments]) == 2
    assert said in capsys.readouterr().err
