"""What a report answers to a script, a notebook or a test."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest

import tokaudit
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
from tokaudit.report.recorded import PartRecord, SubjectRecord
from tokaudit.report.report import REPR_WIDTH, Report

ROWS = Finding(
    Severity.ERROR,
    "token 7 has no embedding row",
    check="embeddings/rows",
    remedy="resize",
    cause="shown",
)
HOLES = Finding(Severity.WARNING, "id 3 is not used", check="vocab/holes", cause="shown")
NOTE = Finding(Severity.INFO, "the pad token is the eos token", check="vocab/holes", cause="shown")


def report(
    *findings: Finding, verdict: Verdict = Verdict.PASS, reason: str = "no errors"
) -> Report:
    results = [
        CheckResult(id, Status.PASSED, findings=tuple(f for f in findings if f.check == id))
        for id in ("embeddings/rows", "vocab/holes")
    ]
    return Report(
        tool={},
        command=(),
        started="",
        seconds=0.5,
        environment={},
        subject=SubjectRecord("my-model"),
        scope="tokenizer only",
        verdict=verdict,
        verdict_reason=reason,
        summary={"passed": 2, "error": 1, "warning": 1, "info": 1},
        results=tuple(results),
    )


FAILED = report(ROWS, HOLES, NOTE, verdict=Verdict.FAIL, reason="errors from embeddings/rows")
UNVERIFIABLE = report(verdict=Verdict.UNVERIFIABLE, reason="no check could decide anything")


@pytest.mark.parametrize(
    ("verdict", "ok"),
    [(Verdict.PASS, True), (Verdict.FAIL, False), (Verdict.UNVERIFIABLE, False)],
)
def test_only_a_pass_is_ok(verdict: Verdict, ok: bool) -> None:
    assert report(verdict=verdict).ok is ok


def test_the_findings_are_sorted_out_by_severity() -> None:
    assert FAILED.findings == (ROWS, HOLES, NOTE)
    assert FAILED.errors == (ROWS,)
    assert FAILED.warnings == (HOLES,)


def test_a_finding_of_an_audit_names_its_check(small: Path) -> None:
    def asked() -> object:
        yield Finding(Severity.WARNING, "careful", cause="shown")

    check = tokaudit.check(
        "mine/careful", title="t", why="w.", remedy="r.", severity=Severity.WARNING,
        basis=tokaudit.Basis.INTRINSIC,
    )(asked)  # type: ignore[arg-type]  # fmt: skip
    found = tokaudit.audit(small, checks=[check])
    assert [(each.check, each.message) for each in found.warnings] == [("mine/careful", "careful")]


def test_the_result_of_one_check_is_found_by_its_id() -> None:
    assert FAILED.result("vocab/holes").findings == (HOLES, NOTE)


def test_a_check_that_was_not_asked_has_no_result() -> None:
    with pytest.raises(KeyError, match="vocab/hole was not run; checks that ran: embeddings/rows"):
        FAILED.result("vocab/hole")


def test_it_reads_as_the_sentence_and_its_causes() -> None:
    assert str(FAILED) == (
        "FAIL my-model: Do not ship: token 7 has no embedding row.\n"
        "error embeddings/rows:shown: token 7 has no embedding row\n"
        "  what to do: resize\n"
        "warning vocab/holes:shown: id 3 is not used\n"
        "scope: tokenizer only"
    )


def test_it_shows_the_text_of_a_cause_and_what_else_it_explains() -> None:
    shown = Evidence("text", text="a b", expected=(TokenView(7, "ab"),), first_difference=0)
    hole = replace(HOLES, places=(Place("vocab", "f", "/v", [7]),), evidence=(shown,))
    rows = replace(ROWS, places=(Place("embeddings", "w", "e"),), evidence=(shown,))
    said = str(report(rows, hole, verdict=Verdict.FAIL)).split("\n")
    assert said[1:-1] == [
        "error embeddings/rows:shown: token 7 has no embedding row",
        "  text: 'a b'",
        "  what to do: resize",
        "  explains 1 more: vocab/holes:shown",
    ]


def test_it_names_five_causes_and_counts_the_others() -> None:
    many = [replace(ROWS, message=f"row {n}") for n in range(7)]
    assert "and 2 errors more" in str(report(*many, verdict=Verdict.FAIL)).split("\n")


def test_its_causes_are_every_finding_once() -> None:
    assert [(each.finding.check, each.explains) for each in FAILED.causes] == [
        ("embeddings/rows", ()),
        ("vocab/holes", ()),
        ("vocab/holes", ()),
    ]


def test_its_measurements_are_those_of_all_checks() -> None:
    found = Measurement("vocab/size", "size", 3, "tokens", 1, "counted")
    first, second = FAILED.results
    measured = replace(FAILED, results=(replace(first, measurements=(found,)), second))
    assert measured.measurements == (found,)


def test_it_becomes_plain_data() -> None:
    data = FAILED.to_dict()
    assert (data["verdict"], data["subject"]["name"]) == ("fail", "my-model")
    assert [each["finding"] for each in data["causes"]] == [0, 1, 2]


def test_it_becomes_a_data_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = ModuleType("pandas")
    pandas.__spec__ = ModuleSpec("pandas", None)
    pandas.DataFrame = list  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    rows = FAILED.to_frame("findings")
    assert [(row["severity"], row["check"]) for row in rows] == [
        ("error", "embeddings/rows"),
        ("warning", "vocab/holes"),
        ("info", "vocab/holes"),
    ]


def test_without_a_library_for_frames_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tokaudit.report.frames.LIBRARIES", ())
    with pytest.raises(tokaudit.UsageError, match=r"needs pandas or polars.*pip install pandas$"):
        FAILED.to_frame()


def test_a_representation_is_one_short_line() -> None:
    long = replace(ROWS, message="x" * 9000)
    for each in (long, CheckResult("a/b", Status.FAILED, findings=(long,) * 99), FAILED.subject):
        assert len(repr(each)) < 250


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (report(), "<Report pass: my-model>"),
        (FAILED, "<Report fail: my-model; embeddings/rows: token 7 has no embedding row>"),
        (UNVERIFIABLE, "<Report unverifiable: my-model; no check could decide anything>"),
    ],
)
def test_its_repr_says_why_it_is_not_ok(shown: Report, expected: str) -> None:
    assert repr(shown) == expected


def test_its_repr_stays_short_and_counts_what_it_leaves_out() -> None:
    many = tuple(replace(ROWS, message=f"{n} " + "x" * 500) for n in range(40))
    shown = repr(report(*many, verdict=Verdict.FAIL))
    assert len(shown) <= REPR_WIDTH
    assert shown.startswith("<Report fail: my-model; embeddings/rows: 0 xxx")
    assert shown.endswith("; and 37 more>")


def test_what_a_terminal_would_obey_is_escaped() -> None:
    hostile = report(replace(ROWS, message="a\x1b[2Jb\nc"), verdict=Verdict.FAIL)
    for text in (str(hostile), repr(hostile)):
        assert all(line.isprintable() for line in text.split("\n"))
        assert "a␛[2Jb⏎c" in text


def test_it_is_saved_in_the_format_of_the_suffix(tmp_path: Path) -> None:
    for name in ("r.json", "r.html", "r.txt"):
        FAILED.save(tmp_path / name)
    assert (tmp_path / "r.json").read_text() == FAILED.to_json()
    assert (tmp_path / "r.html").read_text().startswith("<!DOCTYPE html>")
    assert (tmp_path / "r.txt").read_text().splitlines()[-1].startswith("FAIL  my-model")


def test_its_json_is_the_report() -> None:
    data = json.loads(FAILED.to_json())
    assert (data["schema"], data["verdict"]) == ("tokaudit.report/1", "fail")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("r.pdf", "no report format has this suffix"),
        ("r", "no report format has this suffix"),
        ("nowhere/r.json", "there is no folder"),
        ("folder.json", "it is a folder"),
    ],
)
def test_it_is_not_saved_where_it_cannot_be(tmp_path: Path, name: str, says: str) -> None:
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(tokaudit.UsageError, match=says):
        FAILED.save(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["folder.json"]


ASSERTING = """
from tokaudit.report.model import *
from tokaudit.report.recorded import PartRecord, SubjectRecord
from tokaudit.report.report import Report

def test_the_checkpoint():
    findings = (
        Finding(Severity.ERROR, "token 7 has no embedding row", check="embeddings/rows", cause="few"),
        Finding(Severity.ERROR, "eos is id 2, but generation stops at 7", check="special_tokens/role-ids", cause="eos"),
    )
    results = (CheckResult("embeddings/rows", Status.FAILED, findings=findings),)
    report = Report({}, (), "", 0.0, {}, SubjectRecord("my-model"), "", Verdict.FAIL, "", {}, results=results)
    assert report.ok
"""


def test_a_failed_assertion_in_pytest_names_the_findings(tmp_path: Path, processes: None) -> None:
    (tmp_path / "test_checkpoint.py").write_text(ASSERTING)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=300,
        check=False,
    )
    assert done.returncode == 1
    assert "embeddings/rows: token 7 has no embedding row" in done.stdout
    assert "special_tokens/role-ids: eos is id 2, but generation stops at 7" in done.stdout


def test_a_report_on_all_subjects_of_a_folder_is_named_by_how_many_they_are() -> None:
    part = PartRecord("a", Verdict.PASS, "no errors", "tokenizer only", {})
    whole = replace(FAILED, subject=SubjectRecord("."), parts=(part, replace(part, name="b")))
    assert (whole.title, FAILED.title) == ("2 tokenizers", "my-model")
