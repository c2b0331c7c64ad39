"""A test starts a process only where one of its fixtures says so: the guard of `make check`, tried."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_door import Door
from locations import ROOT
from run_pytest import Run, run_pytest

TRIED = """
import os
import subprocess
import sys

import pytest
from processes import starts_processes


@pytest.fixture
@starts_processes
def started():
    return subprocess.run([sys.executable, "-S", "-c", ""])


@pytest.fixture
def given_on(started):
    return started.returncode


def test_by_a_fixture_of_a_fixture(given_on):
    assert given_on == 0


def test_by_itself(processes):
    assert subprocess.run(["true"]).returncode == 0


def test_in_secret():
    try:
        subprocess.run(["true"])
    except OSError:
        pass


def test_by_a_shell():
    try:
        os.system("true")
    except OSError:
        pass


def test_without():
    assert 1 + 1 == 2
"""


@pytest.fixture
def tried(tmp_path: Path, door: Door) -> Run:
    """These five tests, with the option of `make check`."""
    helpers = sorted((ROOT / "tests" / "helpers").iterdir())
    paths = " ".join(str(path) for path in helpers if path.is_dir())
    marks = "[pytest]\nmarkers = process: as here\n"
    (tmp_path / "pytest.ini").write_text(f"{marks}pythonpath = {paths}\n")
    (tmp_path / "conftest.py").write_text('pytest_plugins = ("processes",)\n')
    (tmp_path / "test_tried.py").write_text(TRIED)
    return run_pytest(tmp_path, "--in-process", "-p", "no:hypothesispytest", door=door)


def test_those_whose_fixtures_start_one_are_left_out_and_any_other_that_does_fails(
    tried: Run,
) -> None:
    assert tried.outcomes == {
        "test_tried::test_in_secret": "failed",
        "test_tried::test_by_a_shell": "failed",
        "test_tried::test_without": "passed",
    }
    assert "2 deselected" in tried.shown
    assert "this test starts a process: let it ask for the fixture `processes`" in tried.shown
