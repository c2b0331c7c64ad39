"""Writes the example of a check into a folder, its binary files from what they are to hold."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tokaudit.engine.examples import OTHERS, ExampleFile
from tokaudit_folders import gguf_files
from tokaudit_folders.folder import tensors


def written(example: Iterable[ExampleFile], folder: Path) -> dict[str, Any]:
    """Write an example, and say how it is audited: the subject, and what it is compared with."""
    subject = folder / "subject"
    subject.mkdir()
    for each in example:
        other = each.name.partition("/")[0] in OTHERS
        file = (folder if other else subject) / each.name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_packed(each) if each.packed else each.data)
    named = {other: folder / other for other in OTHERS if (folder / other).exists()}
    return {"subject": subject, **named}


def _packed(file: ExampleFile) -> bytes:
    (pack,) = (pack for end, pack in PACKERS.items() if file.name.endswith(end))
    return pack(json.loads(file.data))


def safetensors(matrices: Mapping[str, Sequence[Sequence[float]]]) -> bytes:
    """A file of 32-bit floats, of which an example shows the rows."""

    def block(rows: Sequence[Sequence[float]]) -> tuple[Sequence[int], bytes]:
        packed = (struct.pack(f"<{len(row)}f", *row) for row in rows)
        return (len(rows), len(rows[0])), b"".join(packed)

    return tensors("F32", {name: block(rows) for name, rows in matrices.items()})


def gguf(keys: dict[str, Any]) -> bytes:
    """A GGUF file, of which an example shows the keys."""
    return gguf_files.gguf({key: (_kind(value), value) for key, value in keys.items()})


def _kind(value: Any) -> int:
    first = value[0] if isinstance(value, list) else value
    if isinstance(first, bool):
        return gguf_files.BOOL
    return gguf_files.U32 if isinstance(first, int) else gguf_files.TEXT


OF_TRAINER = {"input": 1, "model_prefix": 2, "vocab_size": 4, "bos_id": 41, "eos_id": 42}
OF_TRAINER |= {"pad_id": 43, "unk_piece": 45, "bos_piece": 46, "eos_piece": 47, "pad_piece": 48}


def sentencepiece(model: dict[str, Any]) -> bytes:
    """A SentencePiece model, of which an example shows pieces, some with a type, and settings."""
    typed = (piece if isinstance(piece, list) else [piece, 1] for piece in model["pieces"])
    pieces = (
        b"\x0a" + _sized(_field(0x0A, piece.encode()) + bytes([0x18, kind]))
        for piece, kind in typed
    )
    stated = model.get("trainer_spec", {}).items()
    trainer = b"".join(_setting(OF_TRAINER[key], value) for key, value in stated)
    return b"".join(pieces) + b"\x12" + _sized(trainer)


def _setting(number: int, value: str | int) -> bytes:
    """A field of the trainer's settings, whose number may take two bytes and whose value one."""
    kind = 2 if isinstance(value, str) else 0
    tag = number << 3 | kind
    head = bytes([tag]) if number < 16 else bytes([tag & 0x7F | 0x80, tag >> 7])
    return head + (_sized(value.encode()) if isinstance(value, str) else bytes([value]))


def _field(tag: int, value: bytes) -> bytes:
    return bytes([tag]) + _sized(value)


def _sized(value: bytes) -> bytes:
    return bytes([len(value)]) + value  # of less than 128 bytes


PACKERS: dict[str, Callable[[Any], bytes]] = {
    ".safetensors": safetensors,
    ".gguf": gguf,
    ".model": sentencepiece,
}
