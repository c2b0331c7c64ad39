"""The examples that checks declare, on their pages too: each check finds the bad one, not the good."""

from __future__ import annotations

from pathlib import Path

import pytest
from example_folders import written
from shown import shows

import tokaudit
from tokaudit.engine.check import Check, all_checks, matches
from tokaudit.report.model import Finding, Status

BAD = [check for check in all_checks() if check.bad]
GOOD = [check for check in all_checks() if check.good]
# Those that start workers; of two suites one is in the normal run.
SLOW = (
    *("agreement/against", "agreement/behaviour", "baseline", "chat_template/baseline"),
    *("chat_template/injection", "chat_template/mask", "chat_template/portable"),
    *(
        "fertility",
        "pipeline/class-rebuild",
        "pipeline/split-name",
        "round_trip",
        "vocab/word-length",
    ),
)
QUICK = ("baseline/merges", "round_trip/clean-up", "round_trip/encodes")


def each(checks: list[Check]) -> pytest.MarkDecorator:
    """The test for every check, for the slow ones in the wider run."""
    wider = [matches(check.id, SLOW) and not matches(check.id, QUICK) for check in checks]
    given = [
        pytest.param(check, id=check.id, marks=[pytest.mark.published] if slow else [])
        for check, slow in zip(checks, wider, strict=True)
    ]
    return pytest.mark.parametrize("check", given)


def findings(check: Check, example: str, folder: Path) -> tuple[Finding, ...]:
    """What a check finds in the files of an example; only one check reads rows of weights."""
    result = tokaudit.run_check(check, read_embeddings=True, **written(example, folder))
    assert result.status in (Status.PASSED, Status.FAILED), result.reason
    return result.findings


def test_every_check_has_a_bad_and_a_good_example_or_says_why_not() -> None:
    assert [c.id for c in all_checks() if not (c.bad and c.good) and not c.no_example] == []


@each(BAD)
def test_a_check_finds_its_bad_example(check: Check, tmp_path: Path) -> None:
    found = findings(check, check.bad, tmp_path)
    assert found != () and all(map(shows, found))


@each(GOOD)
def test_a_check_finds_nothing_in_its_good_example(check: Check, tmp_path: Path) -> None:
    assert findings(check, check.good, tmp_path) == ()


@pytest.mark.parametrize(
    ("run", "entries"),
    [
        ('{"a": 0, ..., "c": 2}', '{"a": 0, "b": 1, "c": 2}'),
        ('["<0xFE>", ..., "<0xFF>"]', '["<0xFE>", "<0xFF>"]'),
        ('[["a", "b"], ..., ["a", "c"], "d"]', '[["a", "b"], ["a", "c"], "d"]'),
    ],
)
def test_what_an_example_leaves_out_is_written(run: str, entries: str, tmp_path: Path) -> None:
    written(f"a.json: {run}", tmp_path)
    assert (tmp_path / "subject/a.json").read_text() == entries
