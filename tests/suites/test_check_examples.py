"""The examples that checks declare, on their pages too: each check finds the bad one, not the good."""

from __future__ import annotations

from pathlib import Path

import pytest
from shown import shows

import tokaudit
from tokaudit.engine.check import Check, all_checks
from tokaudit.report.model import Finding, Status

EXAMPLES = [check for check in all_checks() if check.bad or check.good]
every = pytest.mark.parametrize("check", EXAMPLES, ids=lambda check: check.id)


def findings(check: Check, example: str, folder: Path) -> tuple[Finding, ...]:
    """What a check finds in the files of an example: a line `name: content` for each."""
    for line in example.splitlines():
        name, _, content = line.partition(": ")
        if not name.endswith(".json"):  # elsewhere a line end is written as a sign
            content = content.replace("\\r", "\r").replace("\\n", "\n")
        (folder / name).write_bytes(content.encode())
    result = tokaudit.run_check(check, folder)
    assert result.status in (Status.PASSED, Status.FAILED), result.reason
    return result.findings


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 38


@every
def test_a_check_finds_its_bad_example(check: Check, tmp_path: Path) -> None:
    found = findings(check, check.bad, tmp_path)
    assert found != () and all(map(shows, found))


@every
def test_a_check_finds_nothing_in_its_good_example(check: Check, tmp_path: Path) -> None:
    assert findings(check, check.good, tmp_path) == ()
