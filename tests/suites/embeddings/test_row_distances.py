"""Rows near the mean of all: candidates for tokens that training seldom met."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Finding, Measurement
from tokaudit.subject.weights.rows import MatrixRows
from tokaudit_suites.embeddings._distances import distances

Ask = Callable[..., list[Any]]
CHECK, EMBEDDING, WIDTH = "embeddings/row-distances", "model.embed_tokens.weight", 16


def packed(row: list[float]) -> bytes:
    return struct.pack(f"<{WIDTH}f", *row)


def store(folder: Path, rows: list[bytes]) -> None:
    size = 4 * WIDTH * len(rows)
    header = {"dtype": "F32", "shape": [len(rows), WIDTH], "data_offsets": [0, size]}
    text = json.dumps({EMBEDDING: header}).encode()
    whole = struct.pack("<Q", len(text)) + text + b"".join(rows)
    (folder / "model.safetensors").write_bytes(whole)


def spread(count: int) -> list[bytes]:
    random = Random(1)
    return [packed([random.gauss(0.1, 1) for _ in range(WIDTH)]) for _ in range(count)]


def test_rows_that_lie_around_their_mean_are_fine(folder: Path, ask: Ask) -> None:
    store(folder, spread(380))
    said = ask(CHECK, folder)
    assert [item for item in said if isinstance(item, Finding)] == []
    assert 60 <= len(said) <= 100
    assert all(0 < float(item.dimensions["norm"]) < 10 for item in said)


def test_a_row_near_the_mean_is_listed_with_its_distance(folder: Path, ask: Ask) -> None:
    rows = spread(380)
    rows[300] = packed([0.1 + 0.01 * place for place in range(WIDTH)])
    store(folder, rows)
    said = ask(CHECK, folder)
    (found,) = [item for item in said if isinstance(item, Finding)]
    assert (str(found.severity), found.evidence[0].ids) == ("info", (300,))
    assert "candidates for glitch tokens: 300 '" in found.message
    kinds = [item.dimensions["kind"] for item in said if isinstance(item, Measurement)]
    assert kinds.count("near the mean") == 1


def test_rows_that_no_training_wrote_are_no_candidates(folder: Path, ask: Ask) -> None:
    rows = spread(380)
    rows[300], rows[301] = bytes(4 * WIDTH), packed([float("nan")] * WIDTH)
    store(folder, rows)
    assert [item for item in ask(CHECK, folder) if isinstance(item, Finding)] == []


def test_few_rows_and_placeholders_are_not_measured(folder: Path, ask: Ask) -> None:
    store(folder, [packed([1.0] * WIDTH)] * 380)
    with pytest.raises(NotApplicable):
        ask(CHECK, folder)


@given(st.integers(2, 300), st.integers(1, 5_000))
def test_no_more_numbers_are_measured_than_allowed(count: int, most: int) -> None:
    matrix = MatrixRows("F32", dict(enumerate(spread(count))), True)
    found = distances(matrix, range(count), most)
    rows = found.rows if found is not None else ()
    assert len(rows) <= most // WIDTH + 1
    assert [row.distance for row in rows] == sorted(row.distance for row in rows)


def test_numbers_of_no_model_are_left_out() -> None:
    huge = {id: struct.pack("<2d", 1e308, -1e308 * (id % 2)) for id in range(9)}
    assert distances(MatrixRows("F64", huge, True), range(9), 100) is None
