"""Hidden files, which an archive of macOS holds one of for each file, are no tokenizer's."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokaudit
from tokaudit_folders.folder import Folder

SOUND = Folder.bpe("abc", ["a b"]).config(vocab_size=4).tokenizer_config(model_max_length=8)
APPLE = b"\0\x05\x16\x07\0\2\0\0Mac OS X        \x1e\x1f\xe2\x80\xa8"


@pytest.mark.parametrize("litter", [APPLE, b"", b"<!DOCTYPE html>", b'{"a": '])
def test_what_is_hidden_next_to_a_tokenizer_is_not_judged(tmp_path: Path, litter: bytes) -> None:
    folder = SOUND.write(tmp_path / "a")
    before = tokaudit.audit(folder, select=["files"]).findings
    for name in ("tokenizer.json", "config.json", "merges.txt", "tokenizer.model", "chat.jinja"):
        (folder / f"._{name}").write_bytes(litter)
    assert tokaudit.audit(folder, select=["files"]).findings == before
