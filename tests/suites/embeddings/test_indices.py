"""Parts of the weights that loaders do not open: transformers 4.57.6 and 5.24.0 go by the index."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit_folders.example_folders import safetensors
from tokaudit_folders.folder import Folder

CHECK, INDEX = "embeddings/shards", "model.safetensors.index.json"
EMBEDDING, HEAD = "model.embed_tokens.weight", "lm_head.weight"
SHARDS = {name: f"model-0000{at}-of-00002.safetensors" for at, name in ((1, EMBEDDING), (2, HEAD))}
SOUND = {"metadata": {"total_size": 48}, "weight_map": SHARDS}


def causes(folder: Path, index: dict[str, Any] | None, *more: str) -> list[str]:
    """Causes for a model of two parts, of which more may be left of another saving."""
    Folder.bpe("ab", ["a b"]).config(vocab_size=3).write(folder)
    for name, shard in (*SHARDS.items(), *((HEAD, each) for each in more)):
        (folder / shard).write_bytes(safetensors({name: [[1, 2], [3, 4], [5, 6]]}))
    if index is not None:
        (folder / INDEX).write_text(json.dumps(index), "utf-8")
    found = tokaudit.run_check(CHECK, folder).findings
    assert all(str(each.severity) == "error" for each in found)
    return [each.cause for each in found]


def test_parts_that_the_index_names_are_opened(tmp_path: Path) -> None:
    assert causes(tmp_path, SOUND) == []


def test_parts_of_another_saving_are_not_missed(tmp_path: Path) -> None:
    assert causes(tmp_path, SOUND, "model-00003-of-00003.safetensors") == []


def test_parts_without_an_index_are_no_weights(tmp_path: Path) -> None:
    assert causes(tmp_path, None) == ["no index"]


def test_one_whole_file_needs_no_index(tmp_path: Path) -> None:
    assert causes(tmp_path, None, "model.safetensors") == []


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"weight_map": {EMBEDDING: SHARDS[EMBEDDING]}}, ["shard not named"]),
        ({"weight_map": {}}, ["shard not named", "shard not named"]),
        ({"weight_map": {**SHARDS, HEAD: SHARDS[EMBEDDING]}}, ["shard not named"]),
        ({"metadata": None}, ["no metadata"]),
        ({"metadata": []}, ["no metadata"]),
    ],
)
def test_a_part_that_the_index_does_not_lead_to_is_an_error(
    tmp_path: Path, changed: dict[str, Any], expected: list[str]
) -> None:
    assert causes(tmp_path, SOUND | changed) == expected


def test_an_index_without_metadata_is_refused(tmp_path: Path) -> None:
    assert causes(tmp_path, {"weight_map": SHARDS}) == ["no metadata"]
