"""Faults that users reported, by the names under which notes cite them; each twin is silent."""

from __future__ import annotations

from pathlib import Path

import pytest
from case_folders import NAMED_CASES, Case

import tokaudit
from tokaudit.report.model import Finding, Severity
from tokaudit_folders.folder import Folder

pytestmark = pytest.mark.usefixtures("processes")


def found(case: Case, folder: Folder, path: Path) -> list[Finding]:
    """The findings about a folder: of its causes only, and notes only where the case is one."""
    base = None if case.base is None else case.base.write(path / "base")
    report = tokaudit.audit(
        folder.write(path / "subject"), select=case.select, tier="quick", base=base, **case.asked
    )
    worth = {each.partition(" ")[0] for each in case.said} | {"error", "warning"}
    causes = (cause.finding for cause in report.causes if str(cause.finding.severity) in worth)
    return [each for each in causes if each.severity is not Severity.INFO or "info" in worth]


def said(findings: list[Finding]) -> list[str]:
    return sorted(f"{each.severity} {each.identity}" for each in findings)


@pytest.mark.parametrize("name", NAMED_CASES)
def test_a_reported_fault_is_found_by_its_cause(name: str, tmp_path: Path) -> None:
    case = NAMED_CASES[name]()
    findings = found(case, case.bad, tmp_path)
    assert said(findings) == sorted(case.said)
    told = " ".join(each.message for each in findings)
    assert [each for each in case.words if each not in told] == []


@pytest.mark.parametrize("name", NAMED_CASES)
def test_its_twin_is_silent(name: str, tmp_path: Path) -> None:
    case = NAMED_CASES[name]()
    assert said(found(case, case.good, tmp_path)) == []
