"""A report that is rendered later is made of its file alone: why and remedy travel in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import tokaudit
from tokaudit.engine.check import Check, check
from tokaudit.report.model import Basis, Evidence, Finding, Measurement, Place, Severity
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
            "help": {"text": "Row back.", "markdown": r"Row back\."},
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
    with pytest.raises(tokaudit.UsageError, match="no report format 'pdf'"):
        tokaudit.render(report, "pdf")
