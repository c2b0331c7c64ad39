"""What the tests of the core share: a tokenizer so small that an audit of it takes no time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A tokenizer of three entries, the id 2 left out, with a config beside it."""
    folder = tmp_path / "small"
    folder.mkdir()
    model = {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 3}, "merges": [["a", "b"]]}
    (folder / "tokenizer.json").write_text(json.dumps({"version": "1.0", "model": model}))
    (folder / "config.json").write_text('{"vocab_size": 4, "eos_token_id": 3}')
    return folder
