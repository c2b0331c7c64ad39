"""A GGUF file reduced to its keys, for an engine that needs only the vocabulary.

The keys are copied byte for byte, but for those of a file in several parts: an engine would look
for the other parts.
"""

from __future__ import annotations

import struct
from pathlib import Path

from tokaudit.subject.formats.gguf.cursor import Cursor
from tokaudit.subject.formats.gguf.metadata import MAGIC, begin, pairs

PARTS = "split."
VERSION = 3


def vocabulary_alone(path: Path) -> bytes | None:
    """Return the bytes of such a file; None if the file itself is small enough.

    Raises `SpecError` for keys that cannot be read, with the key.
    """
    with path.open("rb") as handle:
        cursor = Cursor(handle, path.name, path.stat().st_size)
        tensors, keys = begin(cursor)
        kept: list[tuple[int, int]] = []
        for _ in range(keys):
            start = cursor.at
            [key] = pairs(cursor, 1, lambda key: True)
            if not key.startswith(PARTS):
                kept.append((start, cursor.at))
        if not tensors and len(kept) == keys:
            return None
        head = MAGIC + struct.pack("<IQQ", VERSION, 0, len(kept))
        handle.seek(0)
        data = handle.read(cursor.at)
    return head + b"".join(data[start:end] for start, end in kept)
