"""Rows that the class of a model adds to its embedding, and neither config nor head counts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tokaudit_folders.folder import Folder

Ask = Callable[..., list[object]]
ROWS = ("embeddings/config-vocab-size", "embeddings/output-rows")


@pytest.mark.parametrize(("kind", "found"), [("mllama", [0, 0]), ("llama", [2, 1])])
def test_eight_rows_for_pictures_are_no_fault_of_the_kind_that_adds_them(
    tmp_path: Path, ask: Ask, kind: str, found: list[int]
) -> None:
    folder = Folder.bpe("ab", ["a b"]).added("<|image|>")
    folder = folder.config(model_type=kind, vocab_size=3)
    path = folder.weights(model__embed_tokens__weight=(11, 4), lm_head__weight=(3, 4))
    assert [len(ask(check, path.write(tmp_path))) for check in ROWS] == found
