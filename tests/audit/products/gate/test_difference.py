"""What `tokaudit report --diff` says of two reports, and the exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from processes import starts_processes

import tokaudit
from tokaudit.cli import main
from tokaudit.foundation.errors import UsageError
from tokaudit.products.gate.differences.difference import difference, lines
from tokaudit.products.gate.gating import Gate
from tokaudit.report.comparison import Comparison, Facet, Outcome, Relation
from tokaudit.report.model import (
    CheckResult,
    Measurement,
    Status,
    Suppressed,
    SuppressedBy,
    Verdict,
)
from tokaudit.report.report import Report


@pytest.fixture
def holed(workshop: Path) -> Report:
    return tokaudit.audit("holed", select=["vocab/holes"], tier="quick")


@pytest.fixture
def sound(workshop: Path) -> Report:
    return tokaudit.audit("sound", select=["vocab/holes"], tier="quick")


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
        "new: vocab/holes:inner: warning: 1 id below the highest id, 3, belongs to no token of the vocabulary: id 2.",
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
        "not examined again: vocab/holes:inner: warning: 1 id below the highest id, 3, belongs to "
        "no token of the vocabulary: id 2.",
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
        ((), "report: name a file REPORT.JSON, or give --diff OLD.JSON NEW.JSON"),
        (
            ("a.json", "--diff", "a.json", "b.json"),
            "--diff compares two reports and writes no file",
        ),
        (("--diff", "a.json", "b.json", "--format", "json"), "--diff compares two reports"),
    ],
)
def test_the_command_refuses_what_does_not_go_together(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", *arguments]) == 2
    assert said in capsys.readouterr().err


Gating = Callable[..., Gate]
PROGRAM = str(Path(sys.executable).parent / "tokaudit")
HELD = """
[[subjects]]
path = "holed"
manifest = "holed.manifest.json"
[[subjects]]
path = "sound"
manifest = "sound.manifest.json"
compare = "holed"
"""


def write_vocab(folder: Path, vocab: dict[str, int]) -> None:
    path = folder / "tokenizer.json"
    stated = json.loads(path.read_text())
    stated["model"]["vocab"] = vocab
    path.write_text(json.dumps(stated))


@pytest.fixture
@starts_processes
def gates(workshop: Path, gating: Gating) -> tuple[Report, Report]:
    """A gate in which both subjects hold, and one in which both drifted and differ."""
    write_vocab(workshop / "holed", {"a": 0, "b": 1, "ab": 2})
    for name in ("holed", "sound"):
        manifest = json.dumps(tokaudit.manifest(name))
        (workshop / f"{name}.manifest.json").write_text(manifest)
    old = gating(HELD).report
    write_vocab(workshop / "holed", {"a": 0, "b": 1, "ab": 4})
    write_vocab(workshop / "sound", {"a": 1, "b": 0, "ab": 2})
    return old, gating(HELD).report


def said(old: Report, new: Report) -> list[str]:
    return list(lines(difference(old, new)))


def test_each_new_error_of_a_gate_is_listed_with_its_subject(gates: tuple[Report, Report]) -> None:
    old, new = gates
    errors = {
        f"new: {finding.identity} [{result.part}]: error: {finding.message}"
        for result in new.results
        for finding in result.findings
        if finding.severity == "error"
    }
    assert len(errors) == 6
    assert {check.split(":")[1].strip() for check in errors} == {"gate/manifest", "gate/compare"}
    assert errors <= set(said(old, new))
    assert difference(old, new).exit_code == 1


def test_the_verdict_of_each_subject_of_a_gate_is_compared(gates: tuple[Report, Report]) -> None:
    assert said(*gates)[:3] == [
        "verdict: fail, was pass",
        "worse: verdict of holed: fail, was pass: errors from gate/manifest",
        "worse: verdict of sound: fail, was pass: errors from gate/manifest, gate/compare",
    ]


def test_the_installed_command_lists_the_new_errors_of_a_gate(
    gates: tuple[Report, Report],
) -> None:
    for name, report in zip(("old.json", "new.json"), gates, strict=True):
        report.save(name)
    command = [PROGRAM, "report", "--diff", "old.json", "new.json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "new: gate/compare:differs [sound]: error: sound cannot replace holed" in done.stdout
    assert "new: gate/manifest:identity-vocab-v1 [holed]: error" in done.stdout
    back = subprocess.run([*command[:3], "new.json", "old.json"], capture_output=True, check=False)
    assert back.returncode == 0


def test_a_subject_that_cannot_be_read_any_more_is_worse(workshop: Path, gating: Gating) -> None:
    subjects = 'subjects = ["holed", "sound"]\n'
    old = gating(subjects, head='tier = "quick"\nselect = ["vocab/holes"]\n').report
    (workshop / "sound" / "tokenizer.json").unlink()
    new = gating(subjects, head='tier = "quick"\nselect = ["vocab/holes"]\n').report
    found = difference(old, new)
    assert found.exit_code == 1
    (line,) = [each for each in lines(found) if each.startswith("worse: ")]
    assert line.startswith("worse: verdict of sound: unverifiable, was pass: sound: ")


def test_a_subject_that_a_gate_no_longer_asks_about_is_named(gating: Gating) -> None:
    three = gating('subjects = ["holed", "sound", "./sound/tokenizer.json"]\n').report
    two = gating('subjects = ["sound", "./sound/tokenizer.json"]\n').report
    assert "not examined again: holed" in said(three, two)


def test_a_gate_of_one_subject_and_of_two_agree_on_that_one(gating: Gating) -> None:
    one, two = (
        gating('subjects = ["holed"]\n').report,
        gating('subjects = ["holed", "sound"]\n').report,
    )
    assert said(one, two)[-1] == "unchanged: 1 finding"
    assert said(two, one)[-1] == "unchanged: 1 finding"


def test_pairs_of_a_gate_are_matched_by_their_names(sound: Report) -> None:
    def pair(name: str, relation: Relation) -> Comparison:
        return Comparison("base", name, 9, 0, relation)

    was, other = pair("b", Relation.SAME), pair("a", Relation.DIFFERENT)
    old = replace(sound, comparison=was)
    new = replace(sound, comparison=other, further=(was,))
    assert said(old, new) == ["verdict: pass, was pass", "unchanged: 0 findings"]


def test_a_verdict_that_became_worse_counts_without_a_finding(sound: Report) -> None:
    undecided = replace(sound, verdict=Verdict.UNVERIFIABLE)
    assert difference(sound, undecided).exit_code == 1
    assert difference(undecided, sound).exit_code == 0


def test_a_comparison_and_an_audit_are_refused(sound: Report) -> None:
    comparison = replace(sound, compared=("a", "b"))
    with pytest.raises(
        UsageError, match="the first file is a comparison of tokenizers, the second an"
    ):
        difference(comparison, sound)


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ('{"_type": "x", "predicateType": "y"}', 2, "is a manifest, not a report"),
        ('{"version": "2.1.0", "runs": []}', 2, "is not a report"),
        ('{"schema": "tokaudit.baseline/1"}', 2, "states the schema 'tokaudit.baseline/1'"),
        (
            "<html>",
            3,
            "is not a report: the file is HTML or XML, not JSON; name the .json file that --out wrote",
        ),
    ],
)
def test_a_file_that_is_no_report_is_refused(
    text: str,
    code: int,
    message: str,
    workshop: Path,
    sound: Report,
    capsys: pytest.CaptureFixture[str],
) -> None:
    sound.save("sound.json")
    Path("other.json").write_text(text)
    assert main(["report", "--diff", "sound.json", "other.json"]) == code
    assert f"other.json: {message}" in capsys.readouterr().err
