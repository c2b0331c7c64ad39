"""The lines that install runtimes: none is left out, and a line makes one environment."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tokaudit.runtimes.registry import all_adapters, named_by_user
from tokaudit_folders.folder import Folder
from tokaudit_runtimes.first_answer import first_answer
from tokaudit_runtimes.installs import LLAMA, TAKES, Install


def test_every_runtime_that_is_a_package_is_tried() -> None:
    not_packages = {*named_by_user(), "reference", "server"}
    assert {*TAKES, LLAMA} == set(all_adapters()) - not_packages


def test_ids_are_an_answer_and_an_error_is_none() -> None:
    assert Install("pine", "pip install pine", 1.0, "pine 2: [3, 4]").works
    assert not Install("pine", "pip install pine", 1.0, "ValueError: no pine").works


def test_a_runtime_that_is_there_answers_with_ids_and_one_that_is_not_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    monkeypatch.delenv("NODE_PATH", raising=False)
    subject = str(Folder.bpe("Helo wrd", ["l l"]).write(tmp_path))
    assert first_answer(f"tokenizers@{sys.executable}", subject).endswith("]")
    assert first_answer("@huggingface/tokenizers", subject).startswith("missing: ")
