"""A sparse encoder without a model looks one number up for each id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
CHECK = "embeddings/term-weights"
KIND = "sentence_transformers.sparse_encoder.models.SparseStaticEmbedding"
ENCODER = Folder.bpe("ab", ["a b"]).file("modules.json", [{"path": "", "type": KIND}])


def said(ask: Ask, folder: Path) -> list[tuple[str, str]]:
    return [(str(each.severity), each.cause) for each in ask(CHECK, folder)]


def test_an_id_beyond_the_weights_is_an_error_that_names_its_token(
    tmp_path: Path, ask: Ask
) -> None:
    [found] = ask(CHECK, ENCODER.weights(weight=(2,)).write(tmp_path))
    assert (str(found.severity), found.cause) == ("error", "short")
    assert (
        "model.safetensors has 2 weights of terms, so 1 token has none: 'ab' (id 2)"
        in found.message
    )


@pytest.mark.parametrize("rows", [3, 8])
def test_a_weight_for_each_id_is_no_finding(tmp_path: Path, ask: Ask, rows: int) -> None:
    assert said(ask, ENCODER.weights(weight=(rows,)).write(tmp_path)) == []


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ({"a": 1.0, "b": 1.0, "ab": 0.5}, []),
        ({"a": 1.0, "b": 1.0}, [("error", "short")]),
        ({"a": 1.0, "ab": 0.5, "acorn": 2.0}, [("error", "no token")]),
        ({}, []),
    ],
)
def test_terms_of_a_map_are_tokens_up_to_the_last_id(
    tmp_path: Path, ask: Ask, terms: Mapping[str, float], expected: list[tuple[str, str]]
) -> None:
    assert said(ask, ENCODER.file("idf.json", terms).write(tmp_path)) == expected


def test_a_list_of_weights_of_any_other_module_is_not_asked(tmp_path: Path, ask: Ask) -> None:
    other = ENCODER.file("modules.json", [{"path": "", "type": "acorn.Normalize"}])
    with pytest.raises(NotApplicable, match="looks a number up"):
        ask(CHECK, other.weights(weight=(2,)).write(tmp_path))
