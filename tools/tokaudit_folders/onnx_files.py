"""Writes a small ONNX model: a graph of initializers and nothing that computes."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

F32, U8 = 1, 2
Matrix = Sequence[Sequence[float]]


def onnx(matrices: Mapping[str, Matrix], **numbers_in: str) -> bytes:
    """A model with these matrices of 32-bit numbers; those of `numbers_in` are in another file."""
    graph = field(2, b"small")  # the graph's own name
    for name, rows in matrices.items():
        outside = numbers_in.get(name)
        shape = struct_numbers([len(rows), len(rows[0])])
        data = b"".join(struct.pack(f"<{len(row)}f", *row) for row in rows)
        own = field(13, field(1, b"location") + field(2, outside.encode())) if outside else b""
        held = field(9, data) if outside is None else own + number(14, 1)
        graph += field(5, field(1, shape) + number(2, F32) + field(8, name.encode()) + held)
    return number(1, 8) + field(7, graph)


def packed(name: str, shape: Sequence[int]) -> bytes:
    """A model with one matrix of bytes, as quantisation leaves it; each dimension is a field."""
    dimensions = b"".join(number(1, each) for each in shape)
    data = bytes(shape[0] * shape[1])
    return field(7, field(5, dimensions + number(2, U8) + field(8, name.encode()) + field(9, data)))


def field(at: int, value: bytes) -> bytes:
    """A field of bytes."""
    return varint(at << 3 | 2) + varint(len(value)) + value


def number(at: int, value: int) -> bytes:
    """A field of a number."""
    return varint(at << 3) + varint(value)


def struct_numbers(values: Sequence[int]) -> bytes:
    """The numbers of a packed field."""
    return b"".join(map(varint, values))


def varint(value: int) -> bytes:
    """A number in seven bits a byte."""
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])
