"""Writes the files of an example as a check declares it: a line `name: content` for each."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

OTHERS = ("base", "against")
"""Folders of an example that are not the subject, by the option that names them."""


def written(example: str, folder: Path) -> dict[str, Any]:
    """Write an example, and say how it is audited: the subject, and what it is compared with."""
    subject = folder / "subject"
    subject.mkdir()
    for line in example.splitlines():
        name, _, content = line.partition(": ")
        other = name.partition("/")[0] in OTHERS
        file = (folder if other else subject) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_bytes(name, content))
    named = {other: folder / other for other in OTHERS if (folder / other).exists()}
    return {"subject": subject, **named}


def _bytes(name: str, content: str) -> bytes:
    if name.endswith(".safetensors"):
        return safetensors(json.loads(content))
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
