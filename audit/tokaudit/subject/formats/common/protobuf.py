"""A bounded protobuf reader that never trusts a length.

Source: the protocol buffers encoding guide.  Groups are refused; nothing is interpreted.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from tokaudit_reference.spec import SpecError

Value = int | bytes


def fields(data: bytes, file: str, base: int = 0) -> Iterator[tuple[int, Value]]:
    """Yield field numbers and values in order; `base` is the offset of `data` in the file.

    >>> list(fields(bytes([0x08, 0x96, 0x01, 0x12, 0x02]) + b"hi", "x"))
    [(1, 150), (2, b'hi')]
    """
    at = 0
    while at < len(data):
        key, at = _varint(data, at, file, base)
        number, kind = key >> 3, key & 7
        if number == 0:
            raise _error("has a field number 0", file, base + at)
        value: Value
        if kind == 0:
            value, at = _varint(data, at, file, base)
        elif kind in (1, 5):
            value, at = _slice(data, at, 8 if kind == 1 else 4, file, base)
        elif kind == 2:
            length, at = _varint(data, at, file, base)
            value, at = _slice(data, at, length, file, base)
        else:
            raise _error(f"has a wire type {kind}", file, base + at)
        yield number, value


def float32(value: Value, file: str) -> float:
    """Decode a 4-byte value as a float."""
    if not isinstance(value, bytes) or len(value) != 4:
        raise SpecError("has a score that is not a float", file=file)
    return float(struct.unpack("<f", value)[0])


def _varint(data: bytes, at: int, file: str, base: int) -> tuple[int, int]:
    result = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise _error("ends inside a number", file, base + at)
        byte = data[at]
        at += 1
        result |= (byte & 0x7F) << shift
        if byte < 0x80:
            return result, at
        shift += 7


def _slice(data: bytes, at: int, length: int, file: str, base: int) -> tuple[bytes, int]:
    if length > len(data) - at:
        text = f"claims {length:,} bytes where {len(data) - at:,} are left"
        raise _error(text, file, base + at)
    return data[at : at + length], at + length


def _error(what: str, file: str, at: int) -> SpecError:
    return SpecError(f"is not a SentencePiece model: {what}", file=file, pointer=f"byte {at:,}")
