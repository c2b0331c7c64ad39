"""Forty realistic folders: the healthy ones are silent, and each fault is found by its check."""

from __future__ import annotations

from pathlib import Path

import pytest
from audits_in_a_row import audit_in_a_row
from layouts import LAYOUTS, Layout, Source
from shown import shows

import tokaudit
from tokaudit.report.model import Severity, Status

NAMES = [layout.name for layout in LAYOUTS]


@pytest.fixture
def made(material: Path, tmp_path: Path, layout: Layout) -> Path:
    folder = tmp_path / "model"
    folder.mkdir()
    layout.make(Source(material), folder)
    return folder


def test_there_are_forty_folders_and_each_cites_a_file() -> None:
    assert len({layout.name for layout in LAYOUTS}) == 40
    assert all(": " in layout.cites for layout in LAYOUTS)


@pytest.mark.parametrize("layout", LAYOUTS, ids=NAMES)
def test_a_healthy_folder_has_only_its_true_warnings_and_its_twin_what_the_check_names(
    made: Path, layout: Layout, processes: None
) -> None:
    """The twin has one fault, which is found by the check that names it."""
    report = audit_in_a_row(made)
    reported = [(f.severity, f.check) for f in report.findings if f.severity is not Severity.INFO]
    assert reported == [(Severity.WARNING, check) for check in layout.warnings]
    assert [r.reason for r in report.results if r.status is Status.CRASHED] == []
    asked = [result for result in report.results if result.check == layout.check]
    healthy = asked or [tokaudit.run_check(layout.check, made, tier="quick")]
    before = {finding.message for result in healthy for finding in result.findings}
    layout.fault(made)
    after = tokaudit.run_check(layout.check, made, tier="quick").findings
    new = [f for f in after if f.message not in before]
    assert any(f.severity is not Severity.INFO for f in new)
    assert all(map(shows, new))
