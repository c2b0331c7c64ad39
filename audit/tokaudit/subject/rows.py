"""Reads single rows of a matrix in the weights, where the user asked for it: `--read-embeddings`.

A row is read where it is in the file: weights are too large to be copied, and no digest speaks of
them unless `--hash-weights` asks for one.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tokaudit.foundation.errors import Skip
from tokaudit.subject.material import SourceFile, Subject
from tokaudit.subject.tensors import Tensor

MOST_BYTES = 64 * 1024 * 1024  # of all rows that are read of one matrix
MOST_ROWS = 4_096


@dataclass(frozen=True)
class WeightRows:
    """The rows of the subject's matrices, each read when it is asked for."""

    files: tuple[SourceFile, ...]

    @classmethod
    def of(cls, subject: Subject) -> WeightRows:
        """Those of a subject."""
        return cls(subject.files)

    def norms(self, tensor: Tensor, rows: Iterable[int]) -> Iterator[tuple[int, float]]:
        """The Euclidean length of each of these rows; raises `Skip` for a type that is packed."""
        decode, width = DECODERS.get(tensor.dtype), tensor.shape[-1]
        file = next((file for file in self.files if file.name == tensor.file), None)
        if decode is None or tensor.start is None or file is None:
            raise Skip(f"rows of type {tensor.dtype} are not read")
        size = tensor.nbytes // max(1, tensor.shape[0])
        for row in rows:
            data = file.content.elsewhere(tensor.start + row * size, size)
            yield row, math.hypot(*decode(data, width))


def most_rows(tensor: Tensor) -> int:
    """How many rows of a matrix are read at most, by what each of them takes.

    >>> most_rows(Tensor("F16", (128_000, 4_096), "a.safetensors", 128_000 * 8_192))
    4096
    """
    each = tensor.nbytes // max(1, tensor.shape[0])
    return min(MOST_ROWS, MOST_BYTES // max(1, each))


def _numbers(letter: str) -> Callable[[bytes, int], Iterable[float]]:
    def decode(data: bytes, width: int) -> Iterable[float]:
        return struct.unpack(f"<{width}{letter}", data)

    return decode


def _brain(data: bytes, width: int) -> Iterable[float]:
    """A bfloat16 is the upper half of a float.

    >>> _brain(bytes.fromhex("803f0040"), 2)
    (1.0, 2.0)
    """
    wide = bytearray(4 * width)
    wide[2::4], wide[3::4] = data[0::2], data[1::2]
    return struct.unpack(f"<{width}f", wide)


DECODERS: dict[str, Callable[[bytes, int], Iterable[float]]] = {
    "F64": _numbers("d"),
    "F32": _numbers("f"),
    "F16": _numbers("e"),
    "BF16": _brain,
}
