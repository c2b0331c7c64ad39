"""The small tokenizer, its documents, and copies with something wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_ids import documents, small_tokenizer


@pytest.fixture(scope="session")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the small tokenizer."""
    return small_tokenizer(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="session")
def rows() -> list[list[int]]:
    """Sixty documents of it, each with the end of text."""
    return documents()
