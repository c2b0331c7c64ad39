"""Read a bounded number of a matrix's rows, and inspect their numbers.

A row is read where it is in the file: weights are too large to be copied, and no digest speaks of
them unless `--hash-weights` asks for one.  Of a small matrix all rows are read, so that an audit
costs the same whatever the model's size.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from tokaudit.foundation.errors import Skip
from tokaudit.subject.material import SourceFile, Subject
from tokaudit.subject.tensors import Tensor
from tokaudit.subject.weights.number_types import NUMBERS, is_zero, surely_finite
from tokaudit.subject.weights.vectors import vectors

MOST_BYTES = 64 * 1024 * 1024  # of all rows that are read of one matrix; a larger one is sampled
MOST_ROWS = 4_096
MOST_WHOLE = 1_000_000  # rows of a matrix that is read whole; the most entries that are read
LARGEST_ROW = 1024 * 1024  # bytes; no model is wide enough for more


class Values(StrEnum):
    """The kind of a row's numbers."""

    USABLE = "usable"
    ZERO = "zero"
    NOT_NUMBERS = "not numbers"


@dataclass(frozen=True, slots=True)
class MatrixRows:
    """Bytes of rows by number; `whole` if there are no others."""

    dtype: str
    rows: Mapping[int, bytes]
    whole: bool


@dataclass(frozen=True)
class WeightRows:
    """Rows of the subject's matrices, each measured on demand."""

    files: tuple[SourceFile, ...]

    def norms(self, tensor: Tensor, rows: Iterable[int]) -> Iterator[tuple[int, float]]:
        """Yield the Euclidean norms of these rows; raise `Skip` for unreadable ones."""
        file, start, size = _place(self.files, tensor)
        measure = vectors(tensor.dtype, quickly=True)
        asked = list(rows)
        found = file.content.many([(start + row * size, size) for row in asked])
        for row, data in zip(asked, found, strict=True):
            yield row, measure.length(measure.of(data))


def read_rows(subject: Subject, tensor: Tensor, wanted: Iterable[int]) -> MatrixRows | None:
    """Read all rows of a small matrix, the wanted ones of a large; None if unreadable."""
    try:
        file, start, size = _place(subject.files, tensor)
    except Skip:
        return None
    if not size:
        return None
    if is_read_whole(tensor):
        data = file.content.elsewhere(start, tensor.nbytes)
        rows = {row: data[row * size : (row + 1) * size] for row in range(tensor.shape[0])}
        return MatrixRows(tensor.dtype, rows, True)
    few = sorted({row for row in wanted if 0 <= row < tensor.shape[0]})[: most_rows(tensor)]
    found = file.content.many([(start + row * size, size) for row in few])
    return MatrixRows(tensor.dtype, dict(zip(few, found, strict=True)), False)


def is_read_whole(tensor: Tensor) -> bool:
    """Return whether a matrix is small enough to read all its rows."""
    return tensor.nbytes <= MOST_BYTES and tensor.shape[0] <= MOST_WHOLE


def rows_read(subject: Subject, tensors: Mapping[str, Tensor]) -> dict[str, int]:
    """Count the rows read of each matrix so far; unread matrices are left out."""
    passages = {file.name: file.content.passages for file in subject.files}
    found: dict[str, int] = {}
    for name, tensor in tensors.items():
        begin, each = tensor.start, tensor.nbytes // max(1, tensor.shape[0])
        if begin is None or not each:
            continue
        mine = ((at - begin, size) for at, size in passages.get(tensor.file, ()) if at >= begin)
        inside = {(at, size) for at, size in mine if at < tensor.nbytes}
        rows = {row for at, size in inside for row in range(at // each, (at + size) // each)}
        if rows:
            found[name] = len(rows)
    return found


def values(row: bytes, dtype: str) -> Values:
    """Return the kind of a row's numbers.

    >>> values(bytes(8), "F32"), values(b"\\0\\0\\xc0\\x7f", "F32"), values(b"\\0\\x3c", "F16")
    (<Values.ZERO: 'zero'>, <Values.NOT_NUMBERS: 'not numbers'>, <Values.USABLE: 'usable'>)
    """
    if is_zero(row, dtype):
        return Values.ZERO
    if surely_finite(row, dtype):
        return Values.USABLE
    return Values.USABLE if all(map(math.isfinite, NUMBERS[dtype](row))) else Values.NOT_NUMBERS


def length(row: bytes, dtype: str) -> float:
    """Return the Euclidean norm of a row.

    >>> length(bytes.fromhex("0000404000008040"), "F32")
    5.0
    """
    return math.hypot(*NUMBERS[dtype](row))


def most_rows(tensor: Tensor) -> int:
    """Return the limit of rows to read of a matrix, by their size.

    >>> most_rows(Tensor("F16", (128_000, 4_096), "a.safetensors", 128_000 * 8_192))
    4096
    """
    each = tensor.nbytes // max(1, tensor.shape[0])
    return min(MOST_ROWS, MOST_BYTES // max(1, each))


def _place(files: Iterable[SourceFile], tensor: Tensor) -> tuple[SourceFile, int, int]:
    """Return the file of a matrix, its offset there, and the bytes of each row."""
    file = next((file for file in files if file.name == tensor.file), None)
    if tensor.dtype not in NUMBERS or tensor.start is None or file is None:
        raise Skip(f"the rows of a matrix of type {tensor.dtype} cannot be read")
    size = tensor.nbytes // max(1, tensor.shape[0] if tensor.shape else 0)
    if size > LARGEST_ROW:
        raise Skip(f"each row of the matrix has {size:,} bytes; at most {LARGEST_ROW:,} are read")
    return file, tensor.start, size
