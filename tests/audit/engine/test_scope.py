"""The scope of a report says which numbers of the weights were read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.engine.examples import ExampleFile
from tokaudit.subject.weights import rows
from tokaudit_folders.example_folders import written
from tokaudit_folders.folder import Folder

TOKENIZER = ExampleFile("tokenizer.json", Folder.bpe("ab", ["a b"]).text().encode())
HEAD = '"lm_head.weight": [[1, 2], [3, 4]]'
EMBEDDING = '"embed_tokens.weight": [[1, 2], [3, 4], [5, 6]]'


def scope(folder: Path, matrices: str, **options: Any) -> str:
    """Of an audit that asks only what is quick."""
    weights = ExampleFile("model.safetensors.json", f"{{{matrices}}}".encode())
    example = written([TOKENIZER, weights], folder)
    chosen = {"select": ["embeddings"], **options}
    return tokaudit.audit(example["subject"], tier="quick", **chosen).scope


def test_the_rows_of_embedding_and_head_are_counted(tmp_path: Path) -> None:
    assert scope(tmp_path, f"{EMBEDDING}, {HEAD}") == (
        "tokenizer, the names and shapes of 2 tensors, all 3 rows of embed_tokens.weight "
        "and all 2 rows of lm_head.weight"
    )


def test_matrices_of_which_as_many_rows_were_read_are_named_together(tmp_path: Path) -> None:
    head = '"lm_head.weight": [[1, 2], [3, 4], [5, 6]]'
    assert scope(tmp_path, f"{EMBEDDING}, {head}") == (
        "tokenizer, the names and shapes of 2 tensors and all 3 rows of embed_tokens.weight "
        "and lm_head.weight"
    )


def test_of_a_large_matrix_the_rows_that_were_read_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "MOST_WHOLE", 2)
    monkeypatch.setattr(rows, "MOST_ROWS", 2)
    assert scope(tmp_path, EMBEDDING) == (
        "tokenizer, the names and shapes of 1 tensor and 2 of 3 rows of embed_tokens.weight"
    )


def test_a_row_that_two_checks_read_is_counted_once(tmp_path: Path) -> None:
    assert scope(tmp_path, EMBEDDING, read_embeddings=True) == (
        "tokenizer, the names and shapes of 1 tensor and all 3 rows of embed_tokens.weight"
    )


def test_without_a_check_that_reads_rows_none_is_claimed(tmp_path: Path) -> None:
    said = scope(tmp_path, EMBEDDING, select=["embeddings/rows"])
    assert said == "tokenizer and the names and shapes of 1 tensor"


def test_without_weights_only_the_tokenizer_is_spoken_of(tmp_path: Path) -> None:
    example = written([TOKENIZER], tmp_path)
    found = tokaudit.audit(example["subject"], tier="quick", select=["vocab/holes"]).scope
    assert found == "tokenizer only: no weight files were found"


def test_checks_of_ids_on_disk_say_nothing_of_the_tokenizer(tmp_path: Path) -> None:
    example = written([TOKENIZER], tmp_path)
    ids = tmp_path / "ids.jsonl"
    ids.write_text('{"input_ids": [0, 1, 2]}\n')
    found = tokaudit.audit(example["subject"], tier="quick", select=["data"], data=[ids]).scope
    assert found == (
        f"ids on disk, not the tokenizer itself; data: {ids} (all ids of 1 shard decoded)"
    )
