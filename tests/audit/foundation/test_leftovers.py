"""What a killed process left goes with the next that works there; what is in use stays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tokaudit.foundation import leftovers
from tokaudit.report.saving import refuse_unwritable

MAKES = """
import os, sys
from tokaudit.foundation import leftovers
for prefix in ("tokaudit-read-", ".tokaudit-"):
    os.mkdir(f"{sys.argv[1]}/{leftovers.owned(prefix)}abc")
    open(f"{sys.argv[1]}/{leftovers.owned(prefix)}def", "w").close()
sys.stdout.write("made\\n"); sys.stdout.flush()
sys.stdin.read()
"""


def owner(folder: Path) -> subprocess.Popen[bytes]:
    """A process that has made temporary files and folders in a folder, and waits."""
    process = subprocess.Popen(
        [sys.executable, "-c", MAKES, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"made\n"
    return process


def test_what_a_dead_process_left_is_removed_and_nothing_before(
    tmp_path: Path, processes: None
) -> None:
    process = owner(tmp_path)
    leftovers.clear_dead(tmp_path)
    assert len(list(tmp_path.iterdir())) == 4
    process.kill()
    process.communicate()
    leftovers.clear_dead(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_writing_an_output_clears_what_a_killed_run_left_next_to_it(
    tmp_path: Path, processes: None
) -> None:
    process = owner(tmp_path)
    process.kill()
    process.communicate()
    refuse_unwritable(tmp_path / "report.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name",
    [
        ".tokaudit-notes",
        "tokaudit-read-1.1-abc",
        f".tokaudit-{'0' * 8}-999999999.1-abc",  # of another machine
        "a.tokaudit-00000000-1.1-abc",
    ],
)
def test_what_is_not_known_to_be_of_a_dead_process_stays(name: str, tmp_path: Path) -> None:
    (tmp_path / name).touch()
    leftovers.clear_dead(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_process_that_took_over_the_number_is_another(tmp_path: Path) -> None:
    mine = leftovers.owned()
    head, _, _ = mine.rpartition(".")
    (tmp_path / f"{head}.1-abc").touch()  # our number, but from the machine's first moment
    (tmp_path / f"{mine}abc").touch()
    leftovers.clear_dead(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [f"{mine}abc"]


def test_a_link_to_a_folder_is_removed_and_the_folder_stays(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").touch()
    head, _, _ = leftovers.owned().rpartition(".")
    (tmp_path / f"{head}.1-abc").symlink_to(tmp_path / "folder")
    leftovers.clear_dead(tmp_path)
    assert [path.name for path in tmp_path.rglob("*")] == ["folder", "file"]
