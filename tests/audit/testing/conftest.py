"""What the tests of the testing room share: a folder of a user's, and a tokenizer to fail on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_door import Door
from processes import starts_processes
from run_pytest import Pytest, Run, run_pytest

WITHOUT_HYPOTHESIS = ("-p", "no:hypothesispytest")


@pytest.fixture
@starts_processes
def users_pytest(tmp_path: Path, door: Door) -> Pytest:
    """Runs pytest in a folder of a user's, which holds nothing yet, in a fork where it is imported.

    The `installed` one starts by itself.  Hypothesis's plugin takes as long as the rest when a run
    ends: it is there where it is `drawing`.
    """
    folder = tmp_path / "users"
    folder.mkdir()
    (folder / "pytest.ini").write_text("[pytest]\n")

    def run(*arguments: str | Path, drawing: bool = False, installed: bool = False) -> Run:
        left_out = () if drawing else WITHOUT_HYPOTHESIS
        chosen = None if installed or not door.fits() else door
        return run_pytest(folder, *left_out, *arguments, door=chosen)

    return run


@pytest.fixture
def users(tmp_path: Path, users_pytest: Pytest) -> Path:
    """The folder in which `users_pytest` runs."""
    return tmp_path / "users"


@pytest.fixture
def broken(small: Path) -> Path:
    """The small tokenizer with a merge of which one part is not in the vocabulary."""
    data = json.loads((small / "tokenizer.json").read_text())
    data["model"]["merges"].append(["a", "c"])
    (small / "tokenizer.json").write_text(json.dumps(data))
    return small
