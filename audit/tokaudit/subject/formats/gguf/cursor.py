"""A read position in a GGUF file that never trusts a length.

The file is read in pieces, as far as its descriptions go: it may be larger than a worker's address
space, and one that shrinks meanwhile is an error here and not the end of the process.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from io import BufferedReader
from typing import Any, TypeVar

from tokaudit_reference.spec import SpecError

LARGEST_METADATA = 70_000_000  # bytes; the largest published are about 20 MB
MOST_STRINGS = 3_000_000  # in all arrays together; the largest published have about 800,000
Made = TypeVar("Made")
REMEDY = "Convert the model again, or download it again."


class Cursor:
    """Reads numbers and strings, after checking each against the rest of the file."""

    def __init__(self, handle: BufferedReader, file: str, size: int) -> None:
        self._handle, self.file, self.size = handle, file, size
        self.at = 0
        self.key = ""  # of the value that is being read, for errors
        self._strings = 0

    def error(self, what: str) -> SpecError:
        """Build an error that names the file and the key."""
        return SpecError(what, file=self.file, pointer=self.key, remedy=REMEDY)

    @property
    def left(self) -> int:
        """Return the number of bytes left in the file."""
        return self.size - self.at

    def take(self, size: int) -> bytes:
        """Return the next bytes."""
        self._move(size)
        data = self._handle.read(size)
        if len(data) < size:
            raise self.error(f"ends after {self.at - size + len(data):,} bytes")
        return data

    def skip(self, size: int) -> None:
        """Skip bytes without reading them."""
        self._move(size)
        self._handle.seek(size, os.SEEK_CUR)

    def number(self, format: str) -> Any:
        """Read the next number, little-endian, by its letter in `struct`."""
        return struct.unpack("<" + format, self.take(struct.calcsize("<" + format)))[0]

    def text(self) -> str:
        """Read the next string."""
        data = self.take(self.number("Q"))
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            raise self.error(f"is not UTF-8: {data[:20]!r}") from error

    def texts(self, length: int, *, keep: bool) -> list[str] | None:
        """Read `length` strings, or skip them and return None."""
        self.count(length, 8, "entries")
        self._strings += length
        if self._strings > MOST_STRINGS:
            raise self.error(f"makes {self._strings:,} strings; at most {MOST_STRINGS:,} are read")
        if keep:
            found = self._sound(length, bytes.decode)
            return found + [self.text() for _ in range(length - len(found))]
        for _ in range(length - len(self._sound(length, len))):
            self.skip(self.number("Q"))
        return None

    def _sound(self, length: int, made: Callable[[bytes], Made]) -> list[Made]:
        """Read the first strings of many, up to one that is invalid.

        A vocabulary has a million of them, so nothing is called here for each but what reads.
        """
        read, at, end = self._handle.read, self.at, min(self.size, LARGEST_METADATA)
        found: list[Made] = []
        for _ in range(length):
            head, data = read(8), b""
            step = 8 + int.from_bytes(head, "little")
            try:
                if at + step > end or len(head) + len(data := read(step - 8)) < step:
                    raise ValueError
                found.append(made(data))
            except ValueError:  # what is not UTF-8 is one
                self._handle.seek(-len(head) - len(data), os.SEEK_CUR)
                break
            at += step
        self.at = at
        return found

    def count(self, claimed: int, least: int, what: str) -> int:
        """Return the minimal size of `claimed` items; refuse more than the file has left."""
        if claimed > self.left // least:
            raise self.error(f"claims {claimed:,} {what} where {self.left:,} bytes are left")
        return claimed * least

    def _move(self, size: int) -> None:
        if size > self.left:
            raise self.error(f"claims {size:,} bytes where {self.left:,} are left")
        if self.at + size > LARGEST_METADATA:
            raise self.error(f"goes past the {LARGEST_METADATA:,} bytes of metadata that are read")
        self.at += size
