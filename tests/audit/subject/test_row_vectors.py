"""Rows are measured alike with numpy and without."""

from __future__ import annotations

import struct
from random import Random

import pytest

from tokaudit.subject.weights.vectors import ByNumpy, ByPython, Vectors, vectors

DRAW = Random(4)
NUMBERS = [[DRAW.gauss(0, 0.02) for _ in range(96)] for _ in range(40)]


def packed(numbers: list[float], dtype: str) -> bytes:
    """A row of these numbers."""
    if dtype == "BF16":
        return b"".join(struct.pack("<f", number)[2:] for number in numbers)
    return struct.pack(f"<{len(numbers)}{'e' if dtype == 'F16' else 'f'}", *numbers)


def measured(measure: Vectors, rows: list[bytes]) -> list[tuple[float, float, float]]:
    """The length, the largest number and the distance from the mean of each row."""
    found = [measure.of(row) for row in rows]
    mean = measure.mean(found)
    return [(measure.length(v), measure.largest(v), measure.distance(v, mean)) for v in found]


@pytest.mark.parametrize("dtype", ["F32", "F16", "BF16"])
def test_numpy_and_python_measure_the_same(dtype: str) -> None:
    rows = [packed(numbers, dtype) for numbers in NUMBERS]
    assert measured(ByNumpy(dtype), rows) == measured(ByPython(dtype), rows)


@pytest.mark.parametrize("dtype", ["F32", "F16", "BF16"])
def test_what_is_no_number_has_no_finite_length_either_way(dtype: str) -> None:
    row = packed([1.0, float("nan")], dtype)
    lengths = [way.length(way.of(row)) for way in (ByNumpy(dtype), ByPython(dtype))]
    assert [str(length) for length in lengths] == ["nan", "nan"]


def test_numpy_is_used_only_where_it_was_asked_for_and_knows_the_type() -> None:
    assert isinstance(vectors("F16", quickly=True), ByNumpy)
    assert isinstance(vectors("F16", quickly=False), ByPython)
    assert isinstance(vectors("Q8_0", quickly=True), ByPython)


def test_without_numpy_python_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokaudit.subject.weights.vectors.find_spec", lambda name: None)
    assert isinstance(vectors("F16", quickly=True), ByPython)
