"""Read the initializers of an ONNX model: names, types, shapes and offsets.

The model is one message of protocol buffers.  Only the fields that describe initializers are read,
each where it is, and the others are skipped by their length.  Numbers may lie in the message or in
a file next to it.

Source: `onnx.proto` (ModelProto 7, GraphProto 5, TensorProto).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.material import SourceFile
from tokaudit.subject.tensors import Tensor
from tokaudit.subject.weights.safetensors import BITS

GRAPH, INITIALIZER = 7, 5
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5  # wire types
TYPES = {
    1: "F32", 2: "U8", 3: "I8", 4: "U16", 5: "I16", 6: "I32", 7: "I64", 9: "BOOL", 10: "F16",
    11: "F64", 12: "U32", 13: "U64", 16: "BF16", 17: "F8_E4M3", 19: "F8_E5M2",
}  # fmt: skip
PACKED = ("_quantized", "_quant")  # behind the name of a matrix whose numbers are packed
MOST_FIELDS = 500_000  # of the graph and its initializers; large models have some 50,000
MOST_DIMENSIONS = 64
LONGEST = 4096  # bytes of a name, of a list of dimensions, of a place
AT_ONCE = 16_384


@dataclass(frozen=True, slots=True)
class _Field:
    """A field and the start of its value; a number's value, or the size of bytes."""

    number: int
    wire: int
    start: int
    value: int


def onnx_tensors(file: SourceFile) -> dict[str, Tensor]:
    """Return a model's initializers by name; a packed one has its matrix's name.

    Raises `UnreadableError`, which begins with the file's name, for what is no such message.
    """
    try:
        return dict(_initializers(file))
    except UnreadableError as error:
        raise type(error)(f"{file.name}: is not an ONNX model: {error}") from error


def _initializers(file: SourceFile) -> Iterator[tuple[str, Tensor]]:
    message, seen = _Message(file), False
    for graph in message.fields(0, file.content.size):
        if graph.number == GRAPH and graph.wire == BYTES:
            seen = True
            for each in message.fields(graph.start, graph.start + graph.value):
                if each.number == INITIALIZER and each.wire == BYTES:
                    yield from _described(file, message, each)
    if not seen:
        raise UnreadableError("the model has no graph")


def _described(file: SourceFile, message: _Message, tensor: _Field) -> Iterator[tuple[str, Tensor]]:
    """Yield one tensor whose type has a size; others, such as lists of texts, are skipped."""
    shape, kind, name, start, outside = list[int](), 0, "", None, False
    for field in message.fields(tensor.start, tensor.start + tensor.value):
        match field.number, field.wire:  # dims, data_type, name, raw_data, external_data
            case 1, 0:
                shape.append(field.value)
            case 1, 2:
                shape += message.numbers(field)
            case 2, 0:
                kind = field.value
            case 8, 2:
                name = message.text(field)
            case 9, 2:
                start = field.start  # of the numbers in the message
            case 13, 2:
                outside = True  # they are in the file that this names
    if len(shape) > MOST_DIMENSIONS:
        raise UnreadableError(
            f"the tensor {name[:80]!r} has {len(shape):,} dimensions; at most {MOST_DIMENSIONS} "
            "are read"
        )
    dtype = TYPES.get(kind)
    if dtype is not None:
        packed = name.endswith(PACKED)
        whole = next((name.removesuffix(end) for end in PACKED if name.endswith(end)), name)
        placed = None if packed or outside else start
        size = math.prod(shape) * BITS[dtype] // 8
        if placed is not None and placed + size > tensor.start + tensor.value:
            raise UnreadableError(
                f"the values of the tensor {name[:80]!r} extend beyond the end of the file"
            )
        yield whole, Tensor(dtype, tuple(shape), file.name, size, placed)


class _Message:
    """Fields of messages in a file, read in small pieces on demand."""

    def __init__(self, file: SourceFile) -> None:
        self._content, self._size = file.content, file.content.size
        self._start, self._held, self._left = 0, b"", MOST_FIELDS

    def fields(self, at: int, end: int) -> Iterator[_Field]:
        """Yield the fields between two offsets; refuse one beyond the second."""
        while at < end:
            self._left -= 1
            if self._left < 0:
                raise UnreadableError(
                    f"the file has more than {MOST_FIELDS:,} fields, the most that tokaudit reads"
                )
            key, at = self._varint(at, end)
            number, wire = key >> 3, key & 7
            if wire == VARINT:
                value, after = self._varint(at, end)
                yield _Field(number, wire, at, value)
            elif wire == BYTES:
                value, at = self._varint(at, end)
                after = at + value
            elif wire in (FIXED32, FIXED64):
                value, after = 0, at + (4 if wire == FIXED32 else 8)
            else:
                raise UnreadableError(f"the wire type {wire} at byte {at:,} is unknown")
            if after > end:
                raise UnreadableError(
                    f"a field at byte {at:,} is longer than the message that holds it"
                )
            if wire != VARINT:
                yield _Field(number, wire, at, value)
            at = after

    def text(self, field: _Field) -> str:
        """Return the text of a field."""
        return self._bytes(field).decode("utf-8", "replace")

    def numbers(self, field: _Field) -> list[int]:
        """Return the numbers of a packed field."""
        self._bytes(field)
        at, end, found = field.start, field.start + field.value, list[int]()
        while at < end:
            value, at = self._varint(at, end)
            found.append(value)
        return found

    def _bytes(self, field: _Field) -> bytes:
        if field.value > LONGEST:
            raise UnreadableError(
                f"a text at byte {field.start:,} has {field.value:,} bytes; at most {LONGEST:,} "
                "are read"
            )
        return self._read(field.start, field.value)

    def _varint(self, at: int, end: int) -> tuple[int, int]:
        result = 0
        for place, byte in enumerate(self._read(at, min(10, end - at))):
            result |= (byte & 0x7F) << (7 * place)
            if byte < 0x80:
                return result & (1 << 64) - 1, at + place + 1
        raise UnreadableError(f"the file ends inside a number at byte {at:,}")

    def _read(self, at: int, size: int) -> bytes:
        if not self._start <= at <= at + size <= self._start + len(self._held):
            length = min(max(size, AT_ONCE), self._size - at)
            self._start, self._held = at, self._content.elsewhere(at, length)
        return self._held[at - self._start : at - self._start + size]
