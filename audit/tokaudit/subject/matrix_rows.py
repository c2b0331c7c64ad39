"""Rows of a matrix in a file of weights, and whether they hold numbers that a model can use.

A small matrix is read whole; of a large one only the rows that are asked for, so that an audit
costs the same whatever the model's size.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from struct import unpack

from tokaudit.subject.material import Subject
from tokaudit.subject.tensors import Tensor

WHOLE = 1 << 26  # bytes; a larger matrix is read by rows
MOST_ROWS = 4096  # of a larger matrix
WIDTHS: Mapping[str, tuple[int, str]] = {
    "F64": (8, "d"),
    "F32": (4, "f"),
    "F16": (2, "e"),
    "BF16": (2, ""),
}
"""Bytes of a number, and how `struct` calls it; the others are quantised."""


class Values(StrEnum):
    """What the numbers of a row are."""

    USABLE = "usable"
    ZERO = "zero"
    NOT_NUMBERS = "not numbers"


@dataclass(frozen=True, slots=True)
class MatrixRows:
    """The bytes of rows by their number; `whole` if there are no others."""

    dtype: str
    rows: Mapping[int, bytes]
    whole: bool


def read_rows(subject: Subject, tensor: Tensor, wanted: Iterable[int]) -> MatrixRows | None:
    """All rows of a small matrix, the wanted ones of a large; None if they cannot be read."""
    file = next((file for file in subject.files if file.name == tensor.file), None)
    if file is None or tensor.start is None or tensor.dtype not in WIDTHS or not tensor.nbytes:
        return None
    height, size = tensor.shape[0], tensor.nbytes // tensor.shape[0]
    if tensor.nbytes <= WHOLE:
        data = file.content.glimpse(tensor.start, tensor.nbytes)
        rows = {row: data[row * size : (row + 1) * size] for row in range(height)}
        return MatrixRows(tensor.dtype, rows, True)
    few = sorted(row for row in set(wanted) if 0 <= row < height)[:MOST_ROWS]
    start = tensor.start
    found = {row: file.content.glimpse(start + row * size, size) for row in few}
    return MatrixRows(tensor.dtype, found, False)


def values(row: bytes, dtype: str) -> Values:
    """What the numbers of a row are.

    >>> values(bytes(8), "F32"), values(b"\\0\\0\\xc0\\x7f", "F32"), values(b"\\0\\x3c", "F16")
    (<Values.ZERO: 'zero'>, <Values.NOT_NUMBERS: 'not numbers'>, <Values.USABLE: 'usable'>)
    """
    if not row.strip(b"\0"):
        return Values.ZERO
    width = WIDTHS[dtype][0]
    # Only a number whose last byte begins like this can be infinite or none; most rows have none.
    last = row[width - 1 :: width]
    if dtype == "F16" or b"\x7f" in last or b"\xff" in last:
        return Values.USABLE if all(map(math.isfinite, _numbers(row, dtype))) else _NONE
    return Values.USABLE


_NONE = Values.NOT_NUMBERS


def _numbers(row: bytes, dtype: str) -> Iterator[float]:
    width, letter = WIDTHS[dtype]
    if not letter:  # the upper half of a single-precision number
        row = b"".join(b"\0\0" + row[at : at + 2] for at in range(0, len(row), 2))
        width, letter = 4, "f"
    yield from unpack(f"<{len(row) // width}{letter}", row)
