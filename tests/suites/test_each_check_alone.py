"""Every check runs alone, has an incident on its page, and shows a text or a place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from shown import shows

import tokaudit
from tokaudit.cli.checks_command.check_page import section
from tokaudit.engine.check import Check, all_checks
from tokaudit.engine.needs import Options, Others
from tokaudit.engine.providers import audit_needs
from tokaudit.engine.workers import Workers
from tokaudit.report.model import Status
from tokaudit.subject.material import Subject

OURS = [check for check in all_checks() if check.function.__module__.startswith("tokaudit_suites.")]
SEEN = re.compile(r"#\d+|CVE-\d+|arXiv \d+|\w/\w")
ENDED = (Status.PASSED, Status.FAILED, Status.SKIPPED, Status.NOT_APPLICABLE)


def alone() -> list[object]:
    """The checks that read files in every run, those that start workers in the wider one."""
    needs = audit_needs(Subject("", Path(), ()), Options(), Workers(), Others())
    wider = pytest.mark.published
    return [
        pytest.param(check, id=check.id, marks=wider if needs.from_workers(check.function) else ())
        for check in OURS
    ]


def test_a_check_has_a_public_incident_on_its_page() -> None:
    pages = {c.id: section(c) for c in OURS}
    assert [
        c.id for c in OURS if f"Seen in: {c.incident.partition(' ')[0]}" not in pages[c.id]
    ] == []
    assert [c.id for c in OURS if not SEEN.search(c.incident)] == [], "name where it was seen"


@pytest.mark.parametrize("check", alone())
def test_a_check_runs_alone_on_a_sound_folder(check: Check, folder: Path) -> None:
    result = tokaudit.run_check(check.id, folder, base=folder, tier="quick")
    assert result.status in ENDED, result.reason
    assert result.reason or result.status in (Status.PASSED, Status.FAILED)
    assert all(map(shows, result.findings))
