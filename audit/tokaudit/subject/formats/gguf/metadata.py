"""Read the key-value part of a GGUF file, and nothing of its weights.

Only the keys that are wanted become values; the others are passed over.  `vocabulary_alone` copies
them byte for byte, which is what an engine needs for the vocabulary.

Source: `docs/gguf.md` of the ggml repository.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tokaudit.subject.formats.gguf.cursor import Cursor
from tokaudit.subject.material import SourceFile
from tokaudit_reference.spec import SpecError

MAGIC = b"GGUF"
VERSIONS = (2, 3)
MOST_KEYS = 65_536
LONGEST_KEY = 65_535
MOST_NUMBERS = 4_000_000  # in one array
STRING, ARRAY, BOOL = 8, 9, 7
BYTES = (0, 1)
NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 10: "Q", 11: "q", 12: "d"}
FORMATS = NUMBERS | {BOOL: "B"}

Wanted = Callable[[str], bool]
PARTS = "split."  # what the keys of a file in several parts begin with
WRITTEN = 3  # the version


def metadata(file: SourceFile, wanted: Wanted) -> dict[str, Any]:
    """Map the wanted keys to values; raise `SpecError` naming the faulty key."""
    with opened(file) as cursor:
        _, keys = begin(cursor)
        return pairs(cursor, keys, wanted)


@contextmanager
def opened(file: SourceFile) -> Iterator[Cursor]:
    """Open a non-empty file at its start, and record the part that was read."""
    content = file.content
    if not content.size:
        raise SpecError("is an empty file", file=file.name)
    with content.stream() as handle:
        cursor = Cursor(handle, file.name, content.size)
        try:
            yield cursor
        finally:
            content.used(cursor.at)


def begin(cursor: Cursor) -> tuple[int, int]:
    """Return the numbers of tensors and keys that the file claims to have."""
    magic = cursor.take(4)
    if magic != MAGIC:
        raise cursor.error(f"begins with {magic!r}, not with GGUF")
    version = cursor.number("I")
    if version not in VERSIONS:
        swapped = int.from_bytes(version.to_bytes(4, "little"), "big")
        order = "is big-endian, which is not read" if swapped in VERSIONS else "is not read"
        raise cursor.error(f"version {swapped if swapped in VERSIONS else version} {order}")
    tensors, keys = cursor.number("Q"), cursor.number("Q")
    if keys > MOST_KEYS:
        raise cursor.error(f"claims {keys:,} keys; at most {MOST_KEYS:,} are read")
    return tensors, keys


def pairs(cursor: Cursor, keys: int, wanted: Wanted) -> dict[str, Any]:
    """Return the wanted keys with their values."""
    found: dict[str, Any] = {}
    seen: set[str] = set()
    for _ in range(keys):
        cursor.key = ""
        cursor.key = key = _key(cursor)
        if key in seen:
            raise cursor.error("is given twice")
        seen.add(key)
        value = _value(cursor, cursor.number("I"), keep=wanted(key))
        if wanted(key):
            found[key] = value
    cursor.key = ""
    return found


def _key(cursor: Cursor) -> str:
    key = cursor.text()
    if not 0 < len(key) <= LONGEST_KEY:
        raise cursor.error(f"has a key of {len(key):,} characters; expected 1 to {LONGEST_KEY:,}")
    return key


def _value(cursor: Cursor, kind: int, *, keep: bool) -> Any:
    """Read the next value of a type; None if it is skipped."""
    if kind == ARRAY:
        return _array(cursor, keep)
    if kind == STRING and keep:
        return cursor.text()
    if kind == STRING:
        cursor.skip(cursor.number("Q"))
        return None
    if kind not in FORMATS:
        raise cursor.error(f"has the value type {kind}, which there is not")
    number = cursor.number(FORMATS[kind])
    return bool(number) if kind == BOOL else number


def _array(cursor: Cursor, keep: bool) -> Any:
    """Read a list, or bytes if the entries are bytes."""
    kind, length = cursor.number("I"), cursor.number("Q")
    if kind == ARRAY:
        raise cursor.error("is an array of arrays, which no tokenizer needs")
    if kind == STRING:
        return cursor.texts(length, keep=keep)
    if kind not in FORMATS:
        raise cursor.error(f"is an array of the type {kind}, which there is not")
    format = FORMATS[kind]
    size = cursor.count(length, struct.calcsize("<" + format), "entries")
    if not keep:
        cursor.skip(size)
        return None
    if kind in BYTES:
        return cursor.take(size)
    if length > MOST_NUMBERS:
        raise cursor.error(f"has {length:,} entries; at most {MOST_NUMBERS:,} are read")
    return list(struct.unpack(f"<{length}{format}", cursor.take(size)))


def vocabulary_alone(path: Path) -> bytes | None:
    """The bytes of a file with the keys alone; None where it has no weights and no other parts.

    The keys of a file in several parts are left out: an engine would look for the other parts.
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
        head = MAGIC + struct.pack("<IQQ", WRITTEN, 0, len(kept))
        handle.seek(0)
        data = handle.read(cursor.at)
    return head + b"".join(data[start:end] for start, end in kept)
