"""A report that is rendered later is made of its file alone: why and remedy travel in it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import tokaudit
from tokaudit.engine.check import Check, check
from tokaudit.report.model import (
    Basis,
    CheckResult,
    Evidence,
    Finding,
    Measurement,
    Place,
    Severity,
    Status,
)
from tokaudit.report.report import Report
from tokaudit.report.writer import Look, all_writers
from tokaudit_folders.folder import Folder

STEP = {"type": "Split", "behavior": "Isolated"}  # in the order of a file, which is not sorted


def careful() -> Iterator[Finding | Measurement]:
    shown = Evidence("facts", facts={"this": STEP, "base": None})
    place = Place("pre_tokenizer", "tokenizer.json", "/pre_tokenizer", STEP)
    yield Finding(Severity.WARNING, "careful", (place,), (shown,), cause="shown")
    yield Measurement("mine/boats", "Boats", 6, "boats", 6, "counted", interval=(5, 7))


def nowhere_installed() -> Check:
    return check(
        "mine/careful", title="All is well", why="Boats sank.", remedy="Row back.",
        incident="boats#7", measures=("mine/boats",), severity=Severity.WARNING, basis=Basis.INTRINSIC,
    )(careful)  # fmt: skip


@pytest.fixture
def report(tmp_path: Path) -> Report:
    """The report of one check that only this file knows."""
    folder = Folder.bpe("a").write(tmp_path / "subject")
    return tokaudit.audit(folder, checks=[nowhere_installed()])


@pytest.fixture
def stored(report: Report, tmp_path: Path) -> Path:
    path = tmp_path / "report.json"
    report.save(path)
    return path


@pytest.mark.parametrize("format", ["html", "terminal", "sarif"])
def test_a_check_that_is_installed_nowhere_explains_itself(stored: Path, format: str) -> None:
    assert "Boats sank." in tokaudit.render(stored, format)


def test_a_rule_of_sarif_has_title_reason_and_remedy(stored: Path) -> None:
    log = json.loads(tokaudit.render(stored, "sarif"))
    assert log["runs"][0]["tool"]["driver"]["rules"] == [
        {
            "id": "mine/careful",
            "shortDescription": {"text": "All is well"},
            "fullDescription": {"text": "Boats sank."},
            "help": {"text": "Row back.", "markdown": "Row back."},
            "defaultConfiguration": {"level": "warning"},
        }
    ]


@pytest.mark.parametrize("format", sorted(all_writers()))
def test_a_stored_report_is_rendered_as_it_was(report: Report, stored: Path, format: str) -> None:
    assert tokaudit.render(stored, format) == tokaudit.render(report, format)


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory, processes: None) -> Report:
    """Two tokenizers that differ in a step, on a text."""
    folder = tmp_path_factory.mktemp("compared")
    split = {**STEP, "pattern": {"String": "b"}, "invert": False}
    other = Folder.bpe(["a", "b", "ab"], [["a", "b"]]).changed(pre_tokenizer=split)
    sides = (
        Folder.bpe(["a", "b", "ab"], [["a", "b"]]).write(folder / "one"),
        other.write(folder / "two"),
    )
    return tokaudit.compare(*sides, tier="quick")


@pytest.mark.parametrize("format", sorted(all_writers()))
def test_a_stored_comparison_is_rendered_as_it_was(
    comparison: Report, tmp_path: Path, format: str
) -> None:
    comparison.save(tmp_path / "report.json")
    again = tokaudit.render(tmp_path / "report.json", format)
    assert again == tokaudit.render(comparison, format)


def test_a_stored_report_is_shown_as_a_stream_takes_it(stored: Path, report: Report) -> None:
    colored = tokaudit.render(stored, look=Look(color=True))
    assert "\x1b[" in colored and "\x1b[" not in tokaudit.render(stored)
    assert colored == tokaudit.render(report, look=Look(color=True))


def test_a_format_that_there_is_not_is_refused(report: Report) -> None:
    with pytest.raises(tokaudit.UsageError, match="'pdf' is not a report format"):
        tokaudit.render(report, "pdf")


def nested(depth: int) -> list[object]:
    value: list[object] = []
    for _ in range(depth):
        value = [value]
    return value


UNSTORABLE: dict[str, object] = {
    "half of a surrogate pair": "\ud800x",
    "infinite": math.inf,
    "no number": math.nan,
    "bytes": b"\xff\0",
    "a set": frozenset({"a"}),
    "a key that is half a pair": {"\udc00": 1},
    "two keys that are written alike": {"\ud800": 1, "\\ud800": 2},
    "a complex number": 3 + 4j,
    "nested too deeply": nested(300),
}


@pytest.mark.parametrize("format", sorted(all_writers()))
@pytest.mark.parametrize("value", UNSTORABLE)
def test_a_value_that_no_file_holds_is_shown_as_the_file_holds_it(
    full: Report, tmp_path: Path, value: str, format: str
) -> None:
    stated = UNSTORABLE[value]
    place = Place("vocab", "tokenizer.json", "/a", stated)
    shown = Evidence("facts", facts={"this": stated})
    finding = Finding(
        Severity.ERROR, f"it is {stated}"[:99], (place,), (shown,), cause="c", check="vocab/holes"
    )
    result = CheckResult("vocab/holes", Status.FAILED, findings=(finding,))
    report = replace(full, results=(result,))
    report.save(tmp_path / "report.json")
    assert tokaudit.render(tmp_path / "report.json", format) == tokaudit.render(report, format)


def test_a_page_that_is_saved_is_the_one_that_is_rendered_later(
    full: Report, tmp_path: Path
) -> None:
    place = Place("vocab", "tokenizer.json", "/a", math.inf)
    finding = Finding(Severity.ERROR, "it is large", (place,), cause="c", check="vocab/holes")
    result = CheckResult("vocab/holes", Status.FAILED, findings=(finding,))
    report = replace(full, results=(result,))
    for name in ("report.json", "report.html"):
        report.save(tmp_path / name)
    page = (tmp_path / "report.html").read_text("utf-8")
    assert tokaudit.render(tmp_path / "report.json", "html") == page


@pytest.mark.parametrize("format", sorted(all_writers()))
def test_a_figure_that_is_no_number_is_refused_by_its_name(report: Report, format: str) -> None:
    figure = Measurement("mine/boats", "Boats", math.nan, "boats", 6, "counted")
    result = replace(report.results[0], measurements=(figure,))
    with pytest.raises(tokaudit.TokauditError, match=r"mine/careful: mine/boats \{\} is nan"):
        tokaudit.render(replace(report, results=(result,)), format)
