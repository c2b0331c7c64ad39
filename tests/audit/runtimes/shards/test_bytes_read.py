"""How far pieces are is shown in bytes: of a corpus, of ids, and on a terminal with rate and time."""

from __future__ import annotations

import io
import re
import sys
import time
from pathlib import Path

import pytest
from small_ids import documents as id_documents
from small_ids import small_tokenizer

import tokaudit
from tokaudit.cli.terminal.progress import Progress
from tokaudit.engine.corpus import documents
from tokaudit_folders.folder import Folder
from tokaudit_folders.id_files import datatrove

Steps = list[tuple[str, int, int | None]]
LINE = "abc abc\n"


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of three pieces, the last of which is half as long."""
    monkeypatch.setattr(documents, "PIECE", 80)
    (tmp_path / "lines.txt").write_text(25 * LINE)
    return tmp_path / "lines.txt"


@pytest.fixture
def tokenizer(tmp_path: Path) -> Path:
    return Folder.bpe("abc ", ["a b"]).write(tmp_path / "one")


def test_a_compared_corpus_tells_its_bytes(corpus: Path, tokenizer: Path, processes: None) -> None:
    steps: Steps = []
    tokaudit.compare(
        tokenizer,
        tokenizer,
        tier="quick",
        corpus=[corpus],
        on_pair=lambda *step: steps.append(step),
    )
    what = f"lines.txt: {tokenizer} against {tokenizer}"
    assert [step for step in steps if step[0] == what] == [
        (what, 0, 200),
        (what, 80, 200),
        (what, 160, 200),
        (what, 200, 200),
    ]


def test_an_audited_corpus_tells_its_bytes(corpus: Path, tokenizer: Path, processes: None) -> None:
    steps: Steps = []
    tokaudit.audit(
        tokenizer,
        corpus=[corpus],
        select=["round_trip/corpus", "fertility/corpus"],
        on_step=lambda *step: steps.append(step),
    )
    assert steps == [("encoding the corpus", done, 200) for done in (0, 80, 160, 200)]


def test_ids_on_disk_tell_their_bytes(tmp_path: Path, processes: None) -> None:
    steps: Steps = []
    (tmp_path / "ids").mkdir()
    for name in ("a.ds", "b.ds"):
        datatrove(tmp_path / "ids" / name, id_documents(9))
    tokaudit.audit(
        small_tokenizer(tmp_path / "small"),
        data=[tmp_path / "ids"],
        select=["data/range"],
        on_step=lambda *step: steps.append(step),
    )
    size = (tmp_path / "ids" / "a.ds").stat().st_size
    assert steps == [("reading ids", done * size, 2 * size) for done in (0, 1, 2)]


class Terminal(io.StringIO):
    """Text that says it is a terminal."""

    def isatty(self) -> bool:
        """As a terminal answers."""
        return True


def test_a_part_is_a_line_with_its_rate_and_the_time_that_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    with Progress(quiet=False, first="opening") as progress:
        for done in range(3):
            progress.part("reading ids", done * 1_000, 30_000)
            time.sleep(0.2)  # two drawings
    drawn = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.getvalue())
    assert re.search(r"reading ids .* 7% 0:00:0\d [\d,]{4,}/s", drawn)
    assert not re.search(r"opening [^\n]*/s", drawn)
