"""The validator of SARIF's own kit takes what is written, and knows what it must not take."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from locations import ROOT

from tokaudit.report.report import Report
from tokaudit_reports import sarif

VALIDATOR = ROOT / ".venv/npm/sarif-validator/Sarif.Multitool"
pytestmark = pytest.mark.published  # 44 MB to fetch, and seconds for each file


def validated(text: str, folder: Path) -> list[tuple[str, str]]:
    """The rule and level of each thing that the validator says of a file."""
    if not VALIDATOR.is_file():
        pytest.skip("no validator of SARIF here: make .venv/sarif-validator (needs npm)")
    (folder / "report.sarif").write_text(text, "utf-8")
    command = (str(VALIDATOR), "validate", "report.sarif", "--output", "said.sarif")
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    said = json.loads((folder / "said.sarif").read_text("utf-8-sig"))
    return [(one["ruleId"], one.get("level", "warning")) for one in said["runs"][0]["results"]]


@pytest.mark.parametrize("name", ["full", "quiet", "hostile", "held"])
def test_the_validator_has_no_error_in_what_is_written(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    report: Report = request.getfixturevalue(name)
    said = validated(sarif.write(report), tmp_path)
    advice = {"SARIF2004", "SARIF2005"}  # rules with nothing but an id; an address and a version
    assert [rule for rule, level in said if level != "warning" or rule not in advice] == []


def test_the_validator_refuses_a_key_that_the_schema_does_not_have(
    full: Report, tmp_path: Path
) -> None:
    wrong = sarif.write(full).replace('"ruleId"', '"ruleIt"', 1)
    assert ("JSON1005", "error") in validated(wrong, tmp_path)
