"""A training whose process or node is killed at a piece writes the folder of one process."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
import waiting_words
from processes import starts_processes
from two_nodes import killing_the_process, killing_the_second
from waiting_pieces import REACHED

import tokaudit
from tokaudit.products.train.words import counting

PIECES = 12


@pytest.fixture
def corpus(tmp_path: Path) -> list[Path]:
    """Files of Python's own library, each a piece."""
    files = sorted(Path(os.__file__).parent.glob("*.py"))[:PIECES]
    return [Path(shutil.copy(file, tmp_path)) for file in files]


def folder_of(corpus: list[Path], out: str, **how: Any) -> dict[str, bytes]:
    """The files that a training writes, by their names."""
    made = tokaudit.train(corpus, corpus[0].parent / out, 300, **how)
    return {file.name: file.read_bytes() for file in made.path.iterdir()}


@pytest.fixture
@starts_processes
def whole(corpus: list[Path]) -> dict[str, bytes]:
    """The folder of one process that nobody kills."""
    return folder_of(corpus, "whole", jobs=1)


@pytest.fixture
def a_piece_waits(whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """From here on the first piece waits for a kill; the file that it writes then."""
    monkeypatch.setenv("PYTHONPATH", str(Path(waiting_words.__file__).parent))
    monkeypatch.setattr(counting, "WORK", waiting_words.WORK)
    return tmp_path / REACHED


def test_a_process_of_this_machine_that_is_killed_at_its_piece_changes_nothing(
    corpus: list[Path], whole: dict[str, bytes], a_piece_waits: Path
) -> None:
    killing_the_process(a_piece_waits.parent)
    assert folder_of(corpus, "killed", jobs=2) == whole
    assert a_piece_waits.exists()


@pytest.mark.ray
def test_two_nodes_of_ray_write_the_folder_of_one_process(
    corpus: list[Path], whole: dict[str, bytes], nodes: Any
) -> None:
    assert folder_of(corpus, "by-ray", ray="auto") == whole


@pytest.mark.ray
def test_a_process_of_ray_that_is_killed_at_its_piece_changes_nothing(
    corpus: list[Path], whole: dict[str, bytes], nodes: Any, a_piece_waits: Path
) -> None:
    killing_the_process(a_piece_waits.parent)
    assert folder_of(corpus, "killed", ray="auto") == whole
    assert a_piece_waits.exists()


@pytest.mark.ray
def test_a_node_that_is_killed_at_a_piece_changes_nothing(
    corpus: list[Path], whole: dict[str, bytes], nodes: Any, a_piece_waits: Path
) -> None:
    killer = killing_the_second(nodes, a_piece_waits.parent)
    assert folder_of(corpus, "killed", ray="auto") == whole
    assert a_piece_waits.exists()
    killer.join()
