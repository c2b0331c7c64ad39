"""Read the header of a safetensors file: names, types and shapes.

The format: 8 bytes of little-endian length, that many bytes of JSON, then the data; offsets are
relative to the data, contiguous and inside the file (https://github.com/huggingface/safetensors).
"""

from __future__ import annotations

import json
import math
import struct
from typing import Any, Protocol

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.material import SourceFile
from tokaudit.subject.tensors import Tensor

LARGEST_HEADER = 100_000_000
BITS = {
    **dict.fromkeys(("F64", "I64", "U64", "C64"), 64),
    **dict.fromkeys(("F32", "I32", "U32"), 32),
    **dict.fromkeys(("F16", "BF16", "I16", "U16"), 16),
    **dict.fromkeys(("BOOL", "I8", "U8", "F8_E5M2", "F8_E4M3", "F8_E8M0"), 8),
    **dict.fromkeys(("F6_E2M3", "F6_E3M2"), 6),
    "F4": 4,
}


class Bytes(Protocol):
    """A known number of bytes; any part can be read."""

    @property
    def size(self) -> int:
        """Return the size."""
        ...

    def read(self, start: int, size: int) -> bytes:
        """Read `size` bytes from an offset."""
        ...


def header(file: SourceFile) -> dict[str, Tensor]:
    """Read the tensors of one file; check every statement of the header against the file."""
    return header_of(file.name, file.content)


def header_of(file: str, content: Bytes) -> dict[str, Tensor]:
    """Read the tensors from the header in some bytes, checked against their size."""
    size, raw = _header_bytes(file, content)
    try:
        data = json.loads(raw, object_pairs_hook=_no_duplicates)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"{file}: its header is not JSON: {error}") from error
    if not isinstance(data, dict):
        raise UnreadableError(f"{file}: its header is not a JSON object")
    data.pop("__metadata__", None)
    spans = [(*_span(file, name, entry), name) for name, entry in data.items()]
    first = 8 + len(raw)
    _contiguous(file, spans, size - first)
    return {
        name: Tensor(
            data[name]["dtype"],
            tuple(data[name]["shape"]),
            file,
            end - start,
            first + start,
        )
        for start, end, name in spans
    }


def _header_bytes(file: str, content: Bytes) -> tuple[int, bytes]:
    size, first = content.size, content.read(0, 8)
    if len(first) < 8:
        raise UnreadableError(f"{file}: is too short to hold a safetensors header")
    (length,) = struct.unpack("<Q", first)
    if length > min(LARGEST_HEADER, size - 8):
        raise UnreadableError(
            f"{file}: states a header of {length:,} bytes in a file of {size:,} bytes; at most "
            f"{LARGEST_HEADER:,} bytes of a header are read"
        )
    return size, content.read(8, length)


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} is given twice")
    return found


def _span(file: str, name: str, entry: Any) -> tuple[int, int]:
    """Return the byte range of one tensor; refuse contradicting type, shape and range."""
    try:
        bits, shape, (start, end) = BITS[entry["dtype"]], entry["shape"], entry["data_offsets"]
        whole = all(type(n) is int and n >= 0 for n in (*shape, start, end))
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadableError(
            f"{file}: the header states no valid dtype, shape and data_offsets for tensor {name!r}"
        ) from error
    if not whole or len(shape) > 64 or math.prod(shape) * bits != (end - start) * 8:
        raise UnreadableError(
            f"{file}: tensor {name!r} of shape {str(shape)[:80]} and type "
            f"{entry['dtype']} does not fill its bytes {start} to {end}"
        )
    return start, end


def _contiguous(file: str, spans: list[tuple[int, int, str]], room: int) -> None:
    at = 0
    for start, end, name in sorted(spans):
        if start != at:
            raise UnreadableError(
                f"{file}: tensor {name!r} begins at byte {start}, expected byte {at}"
            )
        at = end
    if at != room:
        raise UnreadableError(
            f"{file}: the tensors end at byte {at}, but the data ends at byte {room}"
        )
