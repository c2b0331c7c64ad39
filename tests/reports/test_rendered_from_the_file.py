"""A report that is rendered later is made of its file alone: why and remedy travel in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import tokaudit
from tokaudit.engine.check import Check, check
from tokaudit.report.model import Basis, Finding, Place, Severity
from tokaudit.report.report import Report
from tokaudit.report.writer import all_writers
from tokaudit_folders.folder import Folder


def careful() -> Iterator[Finding]:
    yield Finding(Severity.WARNING, "careful", (Place("subject"),), cause="shown")


def nowhere_installed() -> Check:
    return check(
        "mine/careful", title="All is well", why="Boats sank.", remedy="Row back.",
        incident="boats#7", severity=Severity.WARNING, basis=Basis.INTRINSIC,
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


def test_a_format_that_there_is_not_is_refused(report: Report) -> None:
    with pytest.raises(tokaudit.UsageError, match="no report format 'pdf'"):
        tokaudit.render(report, "pdf")
