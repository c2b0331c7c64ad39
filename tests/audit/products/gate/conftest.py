"""Small subjects, and a gate over them by a configuration that a test writes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.products.gate.gating import Gate
from tokaudit_folders.folder import Folder

TODAY = dt.date(2030, 6, 15)
QUICK = 'tier = "quick"\nselect = ["vocab/holes"]\n'  # reads files alone, so that no worker starts


def write_tokenizer(folder: Path, vocab: dict[str, int]) -> Path:
    """A BPE tokenizer of a few entries."""
    folder.mkdir(parents=True, exist_ok=True)
    Folder.bpe(vocab, [["a", "b"]]).write(folder)
    return folder


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with `holed`, which lacks the id 2, and `sound`, which lacks none."""
    write_tokenizer(tmp_path / "holed", {"a": 0, "b": 1, "ab": 3})
    write_tokenizer(tmp_path / "sound", {"a": 0, "b": 1, "ab": 2})
    monkeypatch.chdir(tmp_path)
    return tmp_path


Gating = Callable[..., Gate]


@pytest.fixture
def gating(workshop: Path) -> Gating:
    """Writes a configuration into the workshop and gates by it."""

    def run(text: str, head: str = QUICK, **settings: Any) -> Gate:
        (workshop / "tokaudit.toml").write_text(head + text)
        return tokaudit.gate(**{"today": TODAY, **settings})

    return run
