"""`tokaudit demo` shows in one command what an audit finds, and writes over nothing."""

from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess

import pytest
from processes import Command

from tokaudit.cli.demo_command import WITH_THEM


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the demonstration is written."""
    return tmp_path_factory.mktemp("demo") / "shown"


@pytest.fixture(scope="module")
def done(shown: Path, tokaudit_in_fork: Command) -> CompletedProcess[str]:
    """The demonstration, which takes a while, so it is run once."""
    return tokaudit_in_fork("demo", shown, "--no-open", "--quiet")


def test_one_checkpoint_passes_and_two_fail_each_with_its_page(
    done: CompletedProcess[str], shown: Path
) -> None:
    assert done.returncode == 0
    verdicts = [
        line.split()[0] for line in done.stdout.splitlines() if str(shown / "models") in line
    ]
    assert verdicts == ["PASS", "tokaudit", "FAIL", "tokaudit", "FAIL", "tokaudit"]
    assert "1 token has a higher id: '<|im_end|>'" in done.stdout
    assert "1 merge of the base is missing here: ' t' + 'he'" in done.stdout
    pages = sorted(path.name for path in (shown / "reports").iterdir())
    assert pages == ["checkpoint.html", "cut.html", "finetuned.html"]


def test_the_command_that_it_prints_gives_the_same_verdict(
    done: CompletedProcess[str], shown: Path, tokaudit_in_fork: Command
) -> None:
    printed = done.stdout.splitlines()[3].split()
    assert printed[:3] == ["tokaudit", "audit", str(shown / "models" / "cut")]
    assert tokaudit_in_fork(*printed[1:], "--tier", "quick").returncode == 1


def test_what_the_pages_name_is_next_to_the_checkpoints(
    done: CompletedProcess[str], shown: Path
) -> None:
    names = {str(path.relative_to(shown)) for path in (*shown.iterdir(), *shown.glob("models/*"))}
    assert names == {"models", "reports", *WITH_THEM.split(", ")} - {"ids/"} | {"ids"} | {
        f"models/{name}" for name in ("checkpoint", "cut", "finetuned")
    }
    assert all(name in done.stdout for name in WITH_THEM.split(", "))


def test_the_gate_of_the_folder_finds_the_missing_merge(
    done: CompletedProcess[str], shown: Path, tokaudit_in_fork: Command
) -> None:
    gated = tokaudit_in_fork("gate", "--config", shown / "tokaudit.toml")
    assert gated.returncode == 1
    assert "baseline/merges:of-the-base-deleted" in gated.stdout


def test_a_folder_that_holds_something_is_left_alone(
    tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    (tmp_path / "mine").write_text("work")
    done = tokaudit_in_fork("demo", tmp_path)
    assert done.returncode == 2 and "exists already" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
