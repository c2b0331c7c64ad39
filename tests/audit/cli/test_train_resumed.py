"""A training that was killed goes on from the pieces that it had counted, to the same folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from processes import Command

pytestmark = pytest.mark.process
PIECES = 12


@pytest.fixture
def corpus(tmp_path: Path) -> list[Path]:
    """Files of Python's own library, each a piece."""
    files = sorted(Path(os.__file__).parent.glob("*.py"))[:PIECES]
    found = [tmp_path / f"{number:02}.txt" for number in range(PIECES)]
    for file, copy in zip(files, found, strict=True):
        copy.write_bytes(file.read_bytes())
    return found


def arguments(corpus: list[Path], out: Path) -> tuple[str, ...]:
    return ("train", *map(str, corpus), "--vocab-size", "300", "--skip-audit", "--out", str(out))


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Each file of a folder by its name."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_a_training_that_is_killed_and_resumed_writes_the_same_folder(
    corpus: list[Path], tokaudit_command: Command, tmp_path: Path
) -> None:
    kept, resumed, whole = tmp_path / "kept", tmp_path / "resumed", tmp_path / "whole"
    command = [sys.executable, "-P", "-m", "tokaudit", *arguments(corpus, tmp_path / "killed")]
    command += ["--resume", str(kept), "--jobs", "2", "--quiet"]
    killed = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
    while killed.poll() is None and not (kept.is_dir() and list(kept.glob("*.json"))):
        time.sleep(0.01)
    if killed.poll() is None:  # else all of it is kept, and what follows holds too
        os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    assert list(kept.glob("*.json"))
    done = tokaudit_command(*arguments(corpus, resumed), "--resume", kept)
    assert done.returncode == 0, done.stderr
    assert tokaudit_command(*arguments(corpus, whole), "--jobs", "1").returncode == 0
    assert bytes_of(resumed) == bytes_of(whole)
    assert len(list(kept.glob("*.json"))) == PIECES
