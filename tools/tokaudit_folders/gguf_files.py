"""Writes GGUF files, sound ones and others, for tests."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tokaudit.subject.formats.gguf import FORMAT
from tokaudit.subject.material import SourceFile, Subject
from tokaudit_reference.spec import TokenizerSpec

U8, I8, U32, I32, F32, BOOL, TEXT, LIST, U64 = 0, 1, 4, 5, 6, 7, 8, 9, 10
FORMATS = {U8: "B", I8: "b", U32: "I", I32: "i", F32: "f", BOOL: "B", U64: "Q"}
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)

Value = tuple[int, Any]  # the type, of the entries if the value is a list
Tensor = tuple[str, Sequence[int], int, int]  # name, dimensions, type, offset


def text(value: str | bytes) -> bytes:
    """A length and that many bytes."""
    data = value.encode() if isinstance(value, str) else value
    return struct.pack("<Q", len(data)) + data


def packed(kind: int, value: Any) -> bytes:
    """A value without its type."""
    return text(value) if kind == TEXT else struct.pack("<" + FORMATS[kind], value)


def pair(key: str | bytes, kind: int, value: Any) -> bytes:
    """A key with its value."""
    if not isinstance(value, list):
        return text(key) + struct.pack("<I", kind) + packed(kind, value)
    entries = b"".join(packed(kind, entry) for entry in value)
    return text(key) + struct.pack("<IIQ", LIST, kind, len(value)) + entries


def described(name: str, dimensions: Sequence[int], kind: int, offset: int) -> bytes:
    """What a file says of a tensor."""
    shape = struct.pack(f"<I{len(dimensions)}Q", len(dimensions), *dimensions)
    return text(name) + shape + struct.pack("<IQ", kind, offset)


def gguf(
    keys: Mapping[str, Value] | bytes,
    tensors: Sequence[Tensor] = (),
    weights: int = 0,
    *,
    version: int = 3,
    count: int | None = None,
) -> bytes:
    """A GGUF file; `count` is the number of keys that it claims, `weights` the bytes at its end."""
    body = keys if isinstance(keys, bytes) else b"".join(pair(k, *v) for k, v in keys.items())
    claimed = len(keys) if count is None else count
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), claimed) + body
    head += b"".join(described(*tensor) for tensor in tensors)
    return head + bytes(-len(head) % 32 + weights if tensors else 0)


def tokenizer(model: str, tokens: Sequence[str], **more: Value) -> dict[str, Value]:
    """The keys of a tokenizer; the others by their names without `tokenizer.ggml.`."""
    keys = {"model": (TEXT, model), "tokens": (TEXT, list(tokens)), **more}
    return {f"tokenizer.ggml.{name}": value for name, value in keys.items()}


def source(folder: Path, data: bytes) -> SourceFile:
    """A file `model.gguf` in a folder."""
    path = folder / "model.gguf"
    path.write_bytes(data)
    return SourceFile("model.gguf", path, len(data), "gguf")


def parsed(folder: Path, keys: Mapping[str, Value] | bytes) -> TokenizerSpec:
    """The spec of a file with these keys, or of these bytes."""
    file = source(folder, keys if isinstance(keys, bytes) else gguf(keys))
    return FORMAT.parse(Subject("model.gguf", folder, (file,)), file)
