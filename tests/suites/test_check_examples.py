"""The examples on the pages of checks: each check finds its bad one, and nothing in its good one."""

from __future__ import annotations

from pathlib import Path

import pytest
from shown import shows

import tokaudit
import tokaudit_suites
from tokaudit.engine.check import Check, all_checks, matches
from tokaudit.engine.examples import BAD, GOOD, example
from tokaudit.report.model import Finding, Status
from tokaudit_folders.example_folders import written

WITH_BAD = [check for check in all_checks() if example(check, BAD)]
WITH_GOOD = [check for check in all_checks() if example(check, GOOD)]
OURS = Path(tokaudit_suites.__path__[0])
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
USES = {"baseline/speculative": "speculative"}  # checks that only a use asks for
QUICK = ("baseline/merges", "round_trip/clean-up", "round_trip/encodes")


def each(checks: list[Check]) -> pytest.MarkDecorator:
    """The test for every check, for the slow ones in the wider run."""
    wider = [matches(check.id, SLOW) and not matches(check.id, QUICK) for check in checks]
    given = [
        pytest.param(check, id=check.id, marks=[pytest.mark.published] if slow else [])
        for check, slow in zip(checks, wider, strict=True)
    ]
    return pytest.mark.parametrize("check", given)


def findings(check: Check, kind: str, folder: Path) -> tuple[Finding, ...]:
    """What a check finds in the files of an example; only one check reads rows of weights."""
    files = written(example(check, kind), folder)
    result = tokaudit.run_check(check, read_embeddings=True, use=USES.get(check.id), **files)
    assert result.status in (Status.PASSED, Status.FAILED), result.reason
    return result.findings


def test_every_check_has_a_bad_and_a_good_example_or_says_why_not() -> None:
    both = {c.id for c in WITH_BAD} & {c.id for c in WITH_GOOD}
    assert [c.id for c in all_checks() if c.id not in both and not c.no_example] == []


def test_every_folder_of_examples_is_the_bad_or_good_one_of_a_check() -> None:
    ids = {f"{c.id}/{kind}" for c in all_checks() for kind in (BAD, GOOD)}
    found = {path.relative_to(OURS).parts for path in OURS.glob("*/examples/*/*")}
    assert {f"{suite}/{name}/{kind}" for suite, _, name, kind in found} <= ids


@each(WITH_BAD)
def test_a_check_finds_its_bad_example(check: Check, tmp_path: Path, processes: None) -> None:
    found = findings(check, BAD, tmp_path)
    assert found != () and all(map(shows, found))


@each(WITH_GOOD)
def test_a_check_finds_nothing_in_its_good_example(
    check: Check, tmp_path: Path, processes: None
) -> None:
    assert findings(check, GOOD, tmp_path) == ()
