"""The examples that checks declare, on their pages too: each check finds the bad one, not the good."""

from __future__ import annotations

from pathlib import Path

import pytest
from example_folders import written
from shown import shows

import tokaudit
from tokaudit.engine.check import Check, all_checks, matches
from tokaudit.report.model import Finding, Status

EXAMPLES = [check for check in all_checks() if check.bad or check.good]
# Those that start several workers; of the baseline one is in the normal run.
SLOW = (
    *("agreement/against", "agreement/behaviour", "baseline", "chat_template/baseline"),
    *("chat_template/injection", "chat_template/mask", "chat_template/portable"),
)
QUICK = ("baseline/merges",)
every = pytest.mark.parametrize(
    "check",
    [
        pytest.param(
            check,
            id=check.id,
            marks=[pytest.mark.published]
            if matches(check.id, SLOW) and not matches(check.id, QUICK)
            else [],
        )
        for check in EXAMPLES
    ],
)


def findings(check: Check, example: str, folder: Path) -> tuple[Finding, ...]:
    """What a check finds in the files of an example; only one check reads rows of weights."""
    result = tokaudit.run_check(check, read_embeddings=True, **written(example, folder))
    assert result.status in (Status.PASSED, Status.FAILED), result.reason
    return result.findings


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 69


@every
def test_a_check_finds_its_bad_example(check: Check, tmp_path: Path) -> None:
    found = findings(check, check.bad, tmp_path)
    assert found != () and all(map(shows, found))


@every
def test_a_check_finds_nothing_in_its_good_example(check: Check, tmp_path: Path) -> None:
    assert findings(check, check.good, tmp_path) == ()
