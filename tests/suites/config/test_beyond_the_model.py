"""A token beyond the rows and a position beyond the table are contradictions of files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
LETTERS = Folder.bpe("ab", ["a b"])
TABLE = "encoder.position_embeddings.weight"
ROWS = (8, 1)
EIGHT: dict[str, Any] = {TABLE: ROWS}


def severities(found: list[Any]) -> list[str]:
    return [str(each.severity) for each in found]


@pytest.mark.parametrize(
    ("rows", "expected"), [(3, ["error"]), (4, ["warning"]), (None, ["warning"])]
)
def test_a_token_that_loaders_add_needs_a_row(
    tmp_path: Path, ask: Ask, rows: int | None, expected: list[str]
) -> None:
    folder = LETTERS.tokenizer_config(mask_token="<mask>")
    folder = folder.config(vocab_size=rows) if rows else folder
    assert severities(ask("config/tokens", folder.write(tmp_path))) == expected


def test_the_rows_of_the_weights_count_more_than_the_declared_size(
    tmp_path: Path, ask: Ask
) -> None:
    folder = LETTERS.tokenizer_config(mask_token="<mask>").config(vocab_size=3)
    folder = folder.weights(embed_tokens__weight=(8, 1))
    assert severities(ask("config/tokens", folder.write(tmp_path))) == ["warning"]


@pytest.mark.parametrize(
    ("kind", "expected"), [("bert", ["error"]), ("llama", ["warning"]), (None, ["warning"])]
)
@pytest.mark.parametrize("key", ["max_length", "max_new_tokens"])
def test_an_answer_beyond_learned_positions_is_an_error(
    tmp_path: Path, ask: Ask, key: str, kind: str | None, expected: list[str]
) -> None:
    stated = {"model_type": kind} if kind else {}
    folder = LETTERS.config(max_position_embeddings=512, **stated).settings(
        "generation_config.json", **{key: 1024}
    )
    assert severities(ask("config/lengths", folder.write(tmp_path))) == expected


@pytest.mark.parametrize(("length", "expected"), [(8, []), (16, ["error"])])
def test_a_maximum_length_fits_the_table_of_positions(
    tmp_path: Path, ask: Ask, length: int, expected: list[str]
) -> None:
    folder = LETTERS.tokenizer_config(model_max_length=length).weights(**EIGHT)
    folder = folder.config(model_type="made-here", max_position_embeddings=8)
    assert severities(ask("padding/position-budget", folder.write(tmp_path))) == expected


@pytest.mark.parametrize(
    ("weights", "settings"),
    [
        ({f"vision.{TABLE}": ROWS}, {}),
        ({TABLE: ROWS}, {"position_embedding_type": "rotary"}),
        ({TABLE: ROWS, "decoder.embed_positions.weight": (4, 1)}, {}),
    ],
)
def test_a_table_that_text_does_not_use_decides_nothing(
    tmp_path: Path, ask: Ask, weights: Any, settings: dict[str, Any]
) -> None:
    folder = LETTERS.tokenizer_config(model_max_length=16).weights(**weights)
    folder = folder.config(model_type="made-here", max_position_embeddings=8, **settings)
    assert severities(ask("padding/position-budget", folder.write(tmp_path))) == ["warning"]


def test_no_length_is_no_position_beyond_the_table(tmp_path: Path, ask: Ask) -> None:
    folder = LETTERS.tokenizer_config(model_max_length=10**30).weights(**EIGHT)
    folder = folder.config(model_type="bert", max_position_embeddings=8)
    assert severities(ask("padding/position-budget", folder.write(tmp_path))) == ["info"]
