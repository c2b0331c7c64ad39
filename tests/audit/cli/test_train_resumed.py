"""A training that was killed goes on from the pieces that it had counted, to the same folder."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from processes import Command
from waiting_pieces import killed_at_the_last_piece

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


KILLED = """
import sys
import waiting_words
from tokaudit.cli import main
from tokaudit.products.train.words import counting
counting.WORK = waiting_words.WORK
main(sys.argv[1:])
"""


def test_a_training_that_is_killed_at_a_piece_and_resumed_writes_the_same_folder(
    corpus: list[Path], tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    kept, resumed, whole = tmp_path / "kept", tmp_path / "resumed", tmp_path / "whole"
    command = [sys.executable, "-P", "-c", KILLED, *arguments(corpus, tmp_path / "killed")]
    command += ["--resume", str(kept), "--jobs", "2", "--quiet"]
    assert killed_at_the_last_piece(command, tmp_path, kept, pieces=PIECES) == -signal.SIGKILL
    assert len(list(kept.glob("*.json"))) == PIECES - 1
    done = tokaudit_in_fork(*arguments(corpus, resumed), "--resume", kept)
    assert done.returncode == 0, done.stderr
    assert tokaudit_in_fork(*arguments(corpus, whole), "--jobs", "1").returncode == 0
    assert bytes_of(resumed) == bytes_of(whole)
    assert len(list(kept.glob("*.json"))) == PIECES


@pytest.mark.ray
def test_ray_trains_the_folder_of_one_process(
    corpus: list[Path], tokaudit_command: Command, tmp_path: Path
) -> None:
    pytest.importorskip("ray")
    whole, by_ray = tmp_path / "whole", tmp_path / "by-ray"
    assert tokaudit_command(*arguments(corpus, whole), "--jobs", "1").returncode == 0
    done = tokaudit_command(*arguments(corpus, by_ray), "--ray", "local", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert bytes_of(by_ray) == bytes_of(whole)
