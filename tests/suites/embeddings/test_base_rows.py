"""Rows against those of the base: whose row each token has."""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable

Ask = Callable[..., list[Any]]
EMBEDDING = "model.embed_tokens.weight"
END, USER, PAIR = 376, 378, (376, 378)


def rows(count: int, seed: int = 1) -> list[bytes]:
    random = Random(seed)
    return [struct.pack("<4f", *(random.gauss(0, 1) for _ in range(4))) for _ in range(count)]


def store(folder: Path, matrix: list[bytes]) -> None:
    size = 16 * len(matrix)
    header = {"dtype": "F32", "shape": [len(matrix), 4], "data_offsets": [0, size]}
    text = json.dumps({EMBEDDING: header}).encode()
    whole = struct.pack("<Q", len(text)) + text + b"".join(matrix)
    (folder / "model.safetensors").write_bytes(whole)


def placed(matrix: list[bytes], changes: Mapping[int, int]) -> list[bytes]:
    """With rows of other ids at some."""
    return [matrix[changes.get(id, id)] for id in range(len(matrix))]


@pytest.fixture
def base(folder: Path, tmp_path: Path) -> Path:
    store(folder, rows(380))
    return Path(shutil.copytree(folder, tmp_path / "base"))


def said(ask: Ask, folder: Path, base: Path) -> list[tuple[str, str]]:
    return [(str(f.severity), f.cause) for f in ask("embeddings/base-rows", folder, base)]


def test_the_same_rows_and_rows_of_ones_own_are_fine(folder: Path, base: Path, ask: Ask) -> None:
    assert said(ask, folder, base) == []
    store(folder, rows(380, seed=2))
    assert said(ask, folder, base) == []


def test_two_rows_in_each_others_place_are_an_error(folder: Path, base: Path, ask: Ask) -> None:
    store(folder, placed(rows(380), {END: USER, USER: END}))
    (found,) = ask("embeddings/base-rows", folder, base)
    assert (str(found.severity), found.cause) == ("error", "each other's")
    assert found.evidence[0].facts == {"376": 378, "378": 376}
    assert "row 376 ('<|end|>') equals row 378 of the base ('<|user|>')" in found.message


def test_a_row_of_another_token_is_an_error(folder: Path, base: Path, ask: Ask) -> None:
    store(folder, placed(rows(380), {END: 50}))
    assert said(ask, folder, base) == [("error", "elsewhere")]


def test_of_a_small_matrix_every_row_is_looked_at(folder: Path, base: Path, ask: Ask) -> None:
    for one, other in ((270, 301), (333, 299)):
        store(folder, placed(rows(380), {one: other, other: one}))
        assert said(ask, folder, base) == [("error", "each other's")]


def test_rows_that_moved_by_one_are_one_finding(folder: Path, base: Path, ask: Ask) -> None:
    store(folder, [rows(380)[-1], *rows(380)[:-1]])
    assert said(ask, folder, base) == [("error", "elsewhere")]


def test_rows_that_are_zero_or_there_twice_tell_nothing(folder: Path, base: Path, ask: Ask) -> None:
    alike = rows(380)
    alike[END] = alike[USER] = bytes(16)
    alike[50] = alike[51]
    store(base, alike)
    store(folder, placed(alike, {60: 50, 61: END}))
    assert said(ask, folder, base) == []


def test_a_marker_that_only_this_template_writes_with_the_bases_row_is_information(
    folder: Path, base: Path, ask: Ask, sick: ModuleType
) -> None:
    sick.template(folder, sick.TEMPLATE + "{# <|user|> #}")
    sick.template(base, sick.TEMPLATE.replace("<|{{ m.role }}|>", "{{ m.role }}: "))
    assert said(ask, folder, base) == [("info", "as in the base")]
    store(folder, [*rows(380)[:USER], b"\1" * 16, *rows(380)[USER + 1 :]])
    assert said(ask, folder, base) == []


def test_a_base_without_weights_is_not_asked(folder: Path, base: Path, ask: Ask) -> None:
    (base / "model.safetensors").unlink()
    with pytest.raises(NotApplicable):
        ask("embeddings/base-rows", folder, base)


@pytest.mark.parametrize(
    ("learned", "expected"), [(False, [("warning", "of no token")]), (True, [])]
)
def test_a_new_token_has_another_row_than_the_base_has_there_for_none(
    folder: Path, base: Path, ask: Ask, sick: ModuleType, learned: bool, expected: list[Any]
) -> None:
    store(base, rows(390))
    new = {"id": 380, "content": "<|new|>", "special": True}
    sick.edit(folder, "tokenizer.json", lambda data: data["added_tokens"].append(new))
    own = rows(390)
    store(folder, [*own[:380], rows(1, seed=5)[0] if learned else own[380], *own[381:]])
    assert said(ask, folder, base) == expected
