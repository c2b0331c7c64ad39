"""An adapter over a base whose embedding and head are one matrix changes both, or has two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit_folders.example_folders import safetensors
from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
Rows = Mapping[str, list[list[float]]]
ROWS, OTHERS = [[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]
BASE = Folder.bpe("ab").config(vocab_size=2, tie_word_embeddings=True)
INPUT, HEAD = "base_model.model.model.embed_tokens.weight", "base_model.model.lm_head.weight"
TO_HEAD: Rows = {
    "base_model.model.lm_head.lora_A.weight": [[1.0, 2.0]],
    "base_model.model.lm_head.lora_B.weight": [[1.0], [2.0]],
}
TO_INPUT: Rows = {
    "base_model.model.model.embed_tokens.lora_embedding_A": [[1.0, 2.0]],
    "base_model.model.model.embed_tokens.lora_embedding_B": [[1.0], [2.0]],
}
ELSEWHERE: Rows = {"base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight": [[1.0, 2.0]]}


def adapter(tensors: Rows, **settings: Any) -> Folder:
    made = Folder.bpe("ab").file("adapter_config.json", {"peft_type": "LORA", **settings})
    return made.file("adapter_model.safetensors", safetensors({**ELSEWHERE, **tensors}))


def said(ask: Ask, path: Path, folder: Folder, base: Folder) -> list[tuple[str, str]]:
    found = ask("embeddings/tied", folder.write(path / "adapter"), base.write(path / "base"))
    return [(str(each.severity), each.cause) for each in found]


@pytest.mark.parametrize(
    ("tensors", "expected"),
    [
        ({}, []),
        (TO_HEAD, [("warning", "merged into both")]),
        (TO_INPUT, [("warning", "merged into both")]),
        ({INPUT: ROWS}, [("warning", "one side")]),
        ({INPUT: ROWS, HEAD: OTHERS}, [("warning", "two matrices")]),
        ({INPUT: ROWS, HEAD: ROWS}, []),
    ],
    ids=["neither side", "to the head", "to the embedding", "one whole", "two whole", "alike"],
)
def test_an_adapter_of_a_side_of_one_matrix_is_a_warning(
    tmp_path: Path, ask: Ask, tensors: Rows, expected: list[tuple[str, str]]
) -> None:
    assert said(ask, tmp_path, adapter(tensors), BASE) == expected


def test_an_adapter_that_ties_its_own_sides_is_silent(tmp_path: Path, ask: Ask) -> None:
    assert said(ask, tmp_path, adapter(TO_HEAD, ensure_weight_tying=True), BASE) == []


def test_a_base_of_two_matrices_asks_nothing_of_an_adapter(tmp_path: Path, ask: Ask) -> None:
    with pytest.raises(NotApplicable):
        said(ask, tmp_path, adapter(TO_HEAD), BASE.config(tie_word_embeddings=False))


def test_the_sentence_names_base_file_and_layer(tmp_path: Path, ask: Ask) -> None:
    folder = adapter({INPUT: ROWS}).write(tmp_path / "adapter")
    (found,) = ask("embeddings/tied", folder, BASE.write(tmp_path / "base"))
    assert found.message.endswith(
        "are one matrix, and adapter_model.safetensors saves embed_tokens whole and not the head, "
        "which keeps the rows of the base until a merge ties them again. Whether it is merged, no "
        "file says."
    )


@pytest.mark.parametrize(
    ("tensors", "settings", "expected"),
    [
        ({}, {"target_modules": ["q_proj", "embed_tokens"]}, [("warning", "target_modules")]),
        ({}, {"target_modules": ["model.lm_head"]}, [("warning", "target_modules")]),
        (TO_INPUT, {"target_modules": ["q_proj", "embed_tokens"]}, []),
        ({}, {"target_modules": ["q_proj", "up_proj"]}, []),  # a list for many kinds of models
        ({}, {"target_modules": "all-linear"}, []),
        ({}, {"target_modules": ["lm_head"], "ensure_weight_tying": True}, []),
    ],
)
def test_a_layer_of_rows_that_is_to_be_changed_is_in_the_adapter(
    tmp_path: Path, ask: Ask, tensors: Rows, settings: Any, expected: list[tuple[str, str]]
) -> None:
    found = ask("embeddings/saved-rows", adapter(tensors, **settings).write(tmp_path / "adapter"))
    assert [(str(each.severity), each.cause) for each in found] == expected
