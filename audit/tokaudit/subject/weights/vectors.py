"""Norms and distances of rows, by numpy if allowed, else by plain Python.

Both ways answer alike to nine digits, and no more are kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.util import find_spec
from operator import add
from typing import Any, Protocol

from tokaudit.subject.weights.number_types import NUMBERS

DIGITS = 9
WIDTHS = {"F32": "<f4", "F16": "<f2", "BF16": "<u2"}
"""The types that numpy converts, and as what it reads them."""

Vector = Any
"""The numbers of a row: a tuple, or an array of numpy."""


class Vectors(Protocol):
    """Functions on rows of one type."""

    def of(self, row: bytes) -> Vector:
        """Decode the numbers of a row."""

    def largest(self, vector: Vector) -> float:
        """Return the largest magnitude."""

    def length(self, vector: Vector) -> float:
        """Return the Euclidean norm."""

    def distance(self, one: Vector, other: Vector) -> float:
        """Return the distance of two vectors."""

    def mean(self, vectors: Iterable[Vector]) -> Vector:
        """Return the mean of some vectors, at least one, in a single pass."""


def vectors(dtype: str, *, quickly: bool) -> Vectors:
    """Return the implementation: `quickly` is by numpy, if it is installed and knows the type."""
    if quickly and dtype in WIDTHS and find_spec("numpy") is not None:
        return ByNumpy(dtype)
    return ByPython(dtype)


class ByPython:
    """Plain Python, for every supported type."""

    def __init__(self, dtype: str) -> None:
        self._numbers = NUMBERS[dtype]

    def of(self, row: bytes) -> Sequence[float]:
        return self._numbers(row)

    def largest(self, vector: Sequence[float]) -> float:
        return max(map(abs, vector))

    def length(self, vector: Sequence[float]) -> float:
        return _kept(math.hypot(*vector))

    def distance(self, one: Sequence[float], other: Sequence[float]) -> float:
        return _kept(math.dist(one, other))

    def mean(self, vectors: Iterable[Sequence[float]]) -> Sequence[float]:
        count, total = 0, [0.0]
        for each in vectors:
            count, total = count + 1, list(map(add, total, each)) if count else list(each)
        return [number / count for number in total]


class ByNumpy:
    """Arrays of doubles, which hold half and single floats without loss."""

    def __init__(self, dtype: str) -> None:
        self._numpy = import_module("numpy")
        self._read_as, self._is_brain = WIDTHS[dtype], dtype == "BF16"

    def of(self, row: bytes) -> Vector:
        numbers = self._numpy.frombuffer(row, self._read_as)
        if self._is_brain:
            numbers = (numbers.astype("<u4") << 16).view("<f4")
        return numbers.astype("f8")

    def largest(self, vector: Vector) -> float:
        return float(self._numpy.abs(vector).max())

    def length(self, vector: Vector) -> float:
        return _kept(math.sqrt(self._numpy.dot(vector, vector)))

    def distance(self, one: Vector, other: Vector) -> float:
        return self.length(one - other)

    def mean(self, vectors: Iterable[Vector]) -> Vector:
        count, total = 0, 0.0
        for each in vectors:
            count, total = count + 1, total + each
        return total / count


def _kept(number: float) -> float:
    return float(f"{number:.{DIGITS}g}")
