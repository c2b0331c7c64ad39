"""`tokaudit demo` shows in one command what an audit finds, and writes over nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.process


def test_one_checkpoint_passes_and_two_fail_each_with_its_page(
    tokaudit_in_fork,  # type: ignore[no-untyped-def]
    tmp_path: Path,
) -> None:
    done = tokaudit_in_fork("demo", tmp_path / "shown", "--no-open")
    assert done.returncode == 0
    verdicts = [line.split()[0] for line in done.stdout.splitlines() if "models" in line[:120]]
    assert verdicts == ["PASS", "tokaudit", "FAIL", "tokaudit", "FAIL", "tokaudit"]
    assert "1 token is beyond them: '<|im_end|>'" in done.stdout
    assert "1 merge of the base was deleted: ' t' + 'he'" in done.stdout
    pages = sorted(path.name for path in (tmp_path / "shown" / "reports").iterdir())
    assert pages == ["checkpoint.html", "cut.html", "finetuned.html"]


def test_the_command_that_it_prints_gives_the_same_verdict(
    tokaudit_in_fork,  # type: ignore[no-untyped-def]
    tmp_path: Path,
) -> None:
    done = tokaudit_in_fork("demo", tmp_path / "shown", "--no-open", "--quiet")
    printed = done.stdout.splitlines()[3].split()
    assert printed[:3] == ["tokaudit", "audit", str(tmp_path / "shown" / "models" / "cut")]
    assert tokaudit_in_fork(*printed[1:], "--tier", "quick").returncode == 1


def test_a_folder_that_holds_something_is_left_alone(
    tokaudit_in_fork,  # type: ignore[no-untyped-def]
    tmp_path: Path,
) -> None:
    (tmp_path / "mine").write_text("work")
    done = tokaudit_in_fork("demo", tmp_path)
    assert done.returncode == 2 and "is there already" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
