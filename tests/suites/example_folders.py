"""Writes the files of an example as a check declares it: a line `name: content` for each."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf_files

OTHERS = ("base", "against")
"""Folders of an example that are not the subject, by the option that names them."""
# An entry of a list or of a table, and the last of those that follow in the same manner.
ENTRY = r'("[^"]*"(?:: \d+)?|\[[^\[\]]*\]|\{[^{}]*\})'
RUN = re.compile(f"{ENTRY}, \\.\\.\\., {ENTRY}")
PART = re.compile(r"0x[0-9A-F]{2}|\d+|.")


def written(example: str, folder: Path) -> dict[str, Any]:
    """Write an example, and say how it is audited: the subject, and what it is compared with."""
    subject = folder / "subject"
    subject.mkdir()
    for line in example.splitlines():
        name, _, content = RUN.sub(spelled_out, line).partition(": ")
        other = name.partition("/")[0] in OTHERS
        file = (folder if other else subject) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_bytes(name, content))
    named = {other: folder / other for other in OTHERS if (folder / other).exists()}
    return {"subject": subject, **named}


def spelled_out(run: re.Match[str]) -> str:
    """All entries of `first, ..., last`, which differ in numbers, bytes or characters that count up."""
    ways = [*map(_between, PART.findall(run[1]), PART.findall(run[2]))]
    (count,) = {len(way) for way in ways if len(way) > 1}
    return ", ".join("".join(way[at % len(way)] for way in ways) for at in range(count))


def _between(first: str, last: str) -> list[str]:
    """What a part of an entry is in each."""
    if first == last:
        return [first]
    if first.startswith("0x"):
        return [f"0x{byte:02X}" for byte in range(int(first, 16), int(last, 16) + 1)]
    if first.isdigit():
        return [str(number) for number in range(int(first), int(last) + 1)]
    # In a JSON text, so that quotation mark and backslash are written with one before them.
    return [
        json.dumps(chr(code), ensure_ascii=False)[1:-1] for code in range(ord(first), ord(last) + 1)
    ]


def _bytes(name: str, content: str) -> bytes:
    packed = next((pack for end, pack in PACKED.items() if name.endswith(end)), None)
    if packed is not None:
        return packed(json.loads(content))
    if not name.endswith(".json"):  # elsewhere a line end is written as a sign
        content = content.replace("\\r", "\r").replace("\\n", "\n")
    return content.encode()


def safetensors(matrices: dict[str, list[list[float]]]) -> bytes:
    """A file of 32-bit floats, of which an example shows the rows."""
    header, data = {}, b""
    for name, rows in matrices.items():
        flat = [value for row in rows for value in row]
        packed = struct.pack(f"<{len(flat)}f", *flat)
        span = [len(data), len(data) + len(packed)]
        header[name] = {"dtype": "F32", "shape": [len(rows), len(rows[0])], "data_offsets": span}
        data += packed
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def gguf(keys: dict[str, Any]) -> bytes:
    """A GGUF file, of which an example shows the keys."""
    return gguf_files.gguf({key: (_kind(value), value) for key, value in keys.items()})


def _kind(value: Any) -> int:
    first = value[0] if isinstance(value, list) else value
    if isinstance(first, bool):
        return gguf_files.BOOL
    return gguf_files.U32 if isinstance(first, int) else gguf_files.TEXT


def sentencepiece(model: dict[str, Any]) -> bytes:
    """A SentencePiece model, of which an example shows pieces, some with a type, and settings."""
    typed = (piece if isinstance(piece, list) else [piece, 1] for piece in model["pieces"])
    pieces = (
        b"\x0a" + _sized(_field(0x0A, piece.encode()) + bytes([0x18, kind]))
        for piece, kind in typed
    )
    numbers = {"input": 0x0A, "model_prefix": 0x12}
    trainer = (
        _field(numbers[key], value.encode()) for key, value in model.get("trainer_spec", {}).items()
    )
    return b"".join(pieces) + b"\x12" + _sized(b"".join(trainer))


def _field(tag: int, value: bytes) -> bytes:
    return bytes([tag]) + _sized(value)


def _sized(value: bytes) -> bytes:
    return bytes([len(value)]) + value  # of less than 128 bytes


PACKED: dict[str, Callable[[Any], bytes]] = {
    ".safetensors": safetensors,
    ".gguf": gguf,
    ".model": sentencepiece,
}
