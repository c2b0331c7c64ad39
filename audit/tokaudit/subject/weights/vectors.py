"""Lengths and distances of rows, by numpy where it may be used, else by Python alone.

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
    """The functions on rows of one type."""

    def of(self, row: bytes) -> Vector:
        """The numbers of a row."""

    def largest(self, vector: Vector) -> float:
        """The largest magnitude of its numbers."""

    def length(self, vector: Vector) -> float:
        """Its Euclidean length."""

    def distance(self, one: Vector, other: Vector) -> float:
        """Return the distance of two vectors."""

    def mean(self, vectors: Iterable[Vector]) -> Vector:
        """The mean of some, at least one, which are gone through once."""


def vectors(dtype: str, *, quickly: bool) -> Vectors:
    """The way to compute: `quickly` is by numpy, where it is installed and knows the type."""
    if quickly and dtype in WIDTHS and find_spec("numpy") is not None:
        return ByNumpy(dtype)
    return ByPython(dtype)


class ByPython:
    """Python alone, for every type that is read."""

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
    """Arrays of doubles, into which halves and single floats fit without loss."""

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
