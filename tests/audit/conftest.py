"""What the tests of the core share: a tokenizer so small that an audit of it takes no time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokaudit_folders.folder import Folder


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A tokenizer of three entries, the id 2 left out, with a config next to it."""
    folder = tmp_path / "small"
    folder.mkdir()
    Folder.bpe({"a": 0, "b": 1, "ab": 3}, [["a", "b"]]).write(folder)
    (folder / "config.json").write_text('{"vocab_size": 4, "eos_token_id": 3}')
    return folder
