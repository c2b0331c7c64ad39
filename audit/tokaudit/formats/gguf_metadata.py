"""Reads the key-value part of a GGUF file, and only that: the rest is gigabytes of weights.

The file is mapped, not read; every length is held against what is left of it before anything is
made of it, and only the keys that are wanted become values.  Tensors are not looked at.

Source: `docs/gguf.md` of the ggml repository.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable
from typing import Any

from tokaudit.subject import SourceFile, open_regular
from tokaudit_reference.spec import SpecError

MAGIC = b"GGUF"
VERSIONS = (2, 3)
MOST_KEYS = 65_536
STRING, ARRAY, BOOL = 8, 9, 7
NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 10: "Q", 11: "q", 12: "d"}
FORMATS = NUMBERS | {BOOL: "B"}


def metadata(file: SourceFile, wanted: Callable[[str], bool]) -> dict[str, Any]:
    """Key -> value of the wanted keys; raises `SpecError` naming the key at fault."""
    with open_regular(file) as handle:
        if not handle.peek(1):
            raise SpecError("is an empty file", file=file.name)
        with mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _read(_Cursor(data, file.name), wanted)


def _read(cursor: _Cursor, wanted: Callable[[str], bool]) -> dict[str, Any]:
    if cursor.take(4) != MAGIC:
        raise cursor.error("does not begin with GGUF")
    version = cursor.number("I")
    if version not in VERSIONS:
        swapped = int.from_bytes(version.to_bytes(4, "little"), "big")
        order = "is big-endian, which is not read" if swapped in VERSIONS else "is not read"
        raise cursor.error(f"version {swapped if swapped in VERSIONS else version} {order}")
    cursor.number("Q")  # how many tensors
    keys = cursor.number("Q")
    if keys > MOST_KEYS:
        raise cursor.error(f"claims {keys:,} keys; at most {MOST_KEYS:,} are read")
    found: dict[str, Any] = {}
    seen: set[str] = set()
    for _ in range(keys):
        cursor.key = ""
        cursor.key = key = cursor.text()
        if key in seen:
            raise cursor.error("stands twice")
        seen.add(key)
        value = cursor.value(cursor.number("I"), keep=wanted(key))
        if wanted(key):
            found[key] = value
    return found


class _Cursor:
    """A place in the file, which moves on by what is read there."""

    def __init__(self, data: mmap.mmap, file: str) -> None:
        self._data, self._file, self._at = data, file, 0
        self.key = ""

    def error(self, what: str) -> SpecError:
        """The error that names the file and the key."""
        remedy = "Convert the model again, or download it again."
        return SpecError(what, file=self._file, pointer=self.key, remedy=remedy)

    def take(self, size: int) -> bytes:
        """The next bytes."""
        self._skip(size)
        return self._data[self._at - size : self._at]

    def number(self, format: str) -> Any:
        """The next number, little-endian."""
        return struct.unpack("<" + format, self.take(struct.calcsize("<" + format)))[0]

    def text(self) -> str:
        """The next string."""
        data = self.take(self.number("Q"))
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            raise self.error(f"is no UTF-8: {data[:20]!r}") from error

    def value(self, kind: int, *, keep: bool) -> Any:
        """The next value of a type, None for one that is passed over."""
        if kind == ARRAY:
            return self._array(keep)
        if kind == STRING:
            if keep:
                return self.text()
            self._skip(self.number("Q"))
            return None
        if kind not in FORMATS:
            raise self.error(f"has the value type {kind}, which there is not")
        number = self.number(FORMATS[kind])
        return bool(number) if kind == BOOL else number

    def _array(self, keep: bool) -> Any:
        kind, length = self.number("I"), self.number("Q")
        if kind == ARRAY:
            raise self.error("is an array of arrays, which no tokenizer needs")
        if kind != STRING and kind not in FORMATS:
            raise self.error(f"is an array of the type {kind}, which there is not")
        format = FORMATS.get(kind, "Q")  # a string is at least its length
        size = struct.calcsize("<" + format)
        if length > self._left() // size:
            raise self.error(f"claims {length:,} entries where {self._left():,} bytes are left")
        if keep and kind == STRING:
            return [self.text() for _ in range(length)]
        if keep:
            return list(struct.unpack(f"<{length}{format}", self.take(length * size)))
        if kind != STRING:
            self._skip(length * size)
            return None
        for _ in range(length):
            self._skip(self.number("Q"))
        return None

    def _left(self) -> int:
        return len(self._data) - self._at

    def _skip(self, size: int) -> None:
        if size > self._left():
            raise self.error(f"claims {size:,} bytes where {self._left():,} are left")
        self._at += size
