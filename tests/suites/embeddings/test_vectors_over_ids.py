"""Biases over the ids, and the matrices of encoders that have no other weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Finding
from tokaudit.subject.material import TranslationSide
from tokaudit.subject.opening import open_subject
from tokaudit.subject.weights import output_biases, read_headers
from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
BASE = Folder.bpe("ab", ["a b"]).added("</s>")


def said(ask: Ask, check: str, path: Path, **shapes: Any) -> list[tuple[str, str]]:
    found = ask(check, BASE.weights(**shapes).write(path))
    told = [each for each in found if isinstance(each, Finding)]
    return [(str(each.severity), each.cause) for each in told if str(each.severity) != "info"]


@pytest.mark.parametrize("name", ["final_logits_bias", "lm_head__bias", "cls__predictions__bias"])
@pytest.mark.parametrize("shape", [(0,), (1, 0)], ids=["a vector", "one row"])
@pytest.mark.parametrize(
    "matrices",
    [
        {"shared__weight": (4, 8)},
        {"shared__weight": (4, 8), "lm_head__weight": (4, 8)},
    ],
    ids=["tied", "with a head"],
)
def test_a_bias_of_another_length_than_the_output_is_an_error(
    tmp_path: Path, ask: Ask, name: str, shape: tuple[int, ...], matrices: dict[str, Any]
) -> None:
    for length, expected in ((4, []), (3, [("error", "bias")]), (6, [("error", "bias")])):
        tensors = {**matrices, name: (*shape[:-1], length)}
        path = tmp_path / str(length)
        assert said(ask, "embeddings/output-rows", path, **tensors) == expected


def test_the_bias_of_a_target_vocabulary_has_the_rows_of_its_head(tmp_path: Path, ask: Ask) -> None:
    tensors = {"encoder__embed_tokens__weight": (9, 8), "lm_head__weight": (4, 8)}
    check = "embeddings/output-rows"
    found = said(ask, check, tmp_path / "own", **tensors, final_logits_bias=(1, 4))
    assert ("error", "bias") not in found
    found = said(ask, check, tmp_path / "other", **tensors, final_logits_bias=(1, 7))
    assert ("error", "bias") in found


@pytest.mark.parametrize("name", ["embedding__weight", "embeddings"])
def test_a_static_encoder_has_a_row_for_each_id(tmp_path: Path, ask: Ask, name: str) -> None:
    assert said(ask, "embeddings/rows", tmp_path / "whole", **{name: (4, 8)}) == []
    found = said(ask, "embeddings/rows", tmp_path / "short", **{name: (3, 8)})
    assert found == [("error", "short")]


def test_a_code_book_is_no_embedding_of_ids(tmp_path: Path, ask: Ask) -> None:
    tensors = {"quantize__embedding__weight": (2, 8)}
    with pytest.raises(NotApplicable):
        said(ask, "embeddings/rows", tmp_path, **tensors)


@pytest.mark.parametrize(
    ("second", "rows", "expected"),
    [
        ("model-00002-of-00002.safetensors", 4, []),
        ("model-00002-of-00002.safetensors", 3, ["error"]),
        ("draft_head.safetensors", 3, ["warning"]),
        ("draft/model.safetensors", 3, []),
    ],
)
def test_a_matrix_that_two_files_hold_has_one_height(
    tmp_path: Path, ask: Ask, second: str, rows: int, expected: list[str]
) -> None:
    folder = BASE.weights("model-00001-of-00002.safetensors", embed_tokens__weight=(4, 8))
    folder = folder.weights(second, embed_tokens__weight=(rows, 8), norm__weight=(8,))
    named = {"embed_tokens.weight": "model-00001-of-00002.safetensors"}
    named |= {"norm.weight": second} if "/" not in second else {}
    index = {"metadata": {}, "weight_map": named}
    folder = folder.file("model.safetensors.index.json", index)
    found = ask("embeddings/shards", folder.write(tmp_path))
    assert [str(each.severity) for each in found if isinstance(each, Finding)] == expected


def test_the_source_of_a_translator_has_no_bias_of_the_target(tmp_path: Path) -> None:
    tensors = {"encoder__embed_tokens__weight": (9, 8), "decoder__embed_tokens__weight": (4, 8)}
    folder = BASE.weights(**tensors, lm_head__weight=(4, 8), final_logits_bias=(1, 4))
    subject = open_subject(str(folder.write(tmp_path)))
    source = read_headers(replace(subject, side=TranslationSide("decoder")))
    assert (output_biases(source), [*output_biases(read_headers(subject))]) == (
        {},
        ["final_logits_bias"],
    )
