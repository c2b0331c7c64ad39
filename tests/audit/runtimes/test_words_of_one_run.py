"""What a worker says is the same in each run: its folders, addresses and threads have no names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tokenizers  # noqa: F401, the real one, before the one of `refusing` can be found

import tokaudit
from tokaudit.runtimes.worker import answers
from tokaudit.runtimes.worker.answers import without_private
from tokaudit_folders.folder import Folder

REFUSING = Path(__file__).parent / "refusing"
OF_TIME = ("seconds", "timing", "started")
REFUSED = (
    "ValueError: no model in FOLDER/a.json or FOLDER/FILE.json: "
    "thread '<unnamed>' panicked, <object object at 0x…>"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small tokenizer, which the library before the real one refuses."""
    monkeypatch.setenv("PYTHONPATH", str(REFUSING))
    return Folder.bpe("ab ", ["a b"]).added("<s>").write(tmp_path)


def lasting(value: Any) -> Any:
    """A report without how long things took."""
    if isinstance(value, dict):
        return {key: lasting(each) for key, each in value.items() if key not in OF_TIME}
    return [lasting(each) for each in value] if isinstance(value, list) else value


def test_two_audits_of_what_is_refused_give_the_same_bytes_but_for_the_times(
    folder: Path, processes: None
) -> None:
    first, second = (
        json.dumps(lasting(tokaudit.audit(folder, tier="quick").to_dict()), ensure_ascii=False)
        for _ in range(2)
    )
    assert REFUSED in first
    assert first == second


def test_two_comparisons_of_runtimes_give_the_words_of_a_refusal_without_its_folder(
    folder: Path,
    processes: None,
) -> None:
    for _ in range(2):
        report = tokaudit.compare_runtimes(folder, runtime=["tokenizers"], tier="quick")
        assert report.comparison is not None and report.comparison.runtime is not None
        assert report.comparison.runtime.why == REFUSED


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("in /tmp/tokaudit-worker-0a1b2c3d-7.9-abcd_123/x", "in FOLDER/x"),
        ("in /tmp/tokaudit-worker-0a1b2c3d-7.9-abcd_123/subject-abcd_123/x", "in FOLDER/x"),
        ("in '/tmp/tokaudit-worker-0a1b2c3d-7.9-abcd_123/tmpabcd_123.gguf'", "in 'FOLDER.gguf'"),
        ("/tmp/tokaudit-read-0a1b2c3d-7.9-abcd_123/12.json", "FOLDER/FILE.json"),
        ("/tmp/subject-abcd_123/tokenizer.json", "FOLDER/tokenizer.json"),
        ("/tmp/models/tokenizer.json", "/tmp/models/tokenizer.json"),
        ("/home/me/tokaudit-fork/a.json", "/home/me/tokaudit-fork/a.json"),
        ("bytes <0x41> and 0x1F600", "bytes <0x41> and 0x1F600"),
        ("<T at 0x7f0a1b2c3d4e>", "<T at 0x…>"),
    ],
)
def test_what_is_of_one_run_has_one_word_and_the_rest_is_as_it_was_said(
    words: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "temporary_folder", lambda: "/tmp")
    assert without_private(words) == said
