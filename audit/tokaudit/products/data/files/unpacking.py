"""Decompressed bytes of a file, with limits on memory and time."""

from __future__ import annotations

import gzip
import io
import zlib
from typing import Any, BinaryIO

from tokaudit.foundation.errors import UnreadableError
from tokaudit.foundation.extras import imported
from tokaudit.products.data.files.files import DataFile

SUFFIXES = (".gz", ".zst")
MOST_TIMES = 200  # so much larger may a file become; texts of ids become about three times larger
ALWAYS = 64 << 20  # bytes that any file may become
LARGEST_WINDOW = 1 << 27  # bytes; what zstandard itself takes
TROUBLES = (OSError, EOFError, zlib.error)


class Bounded(io.RawIOBase):
    """A stream that refuses to grow too many times larger than its file."""

    def __init__(
        self,
        inner: BinaryIO,
        packed: BinaryIO,
        file: DataFile,
        troubles: tuple[type[Exception], ...] = TROUBLES,
    ) -> None:
        self._inner, self._packed = inner, packed
        self._file, self._troubles = file, troubles
        self._left = max(ALWAYS, MOST_TIMES * file.size)

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        """Close the inner file too."""
        if not self.closed:
            self._inner.close()
            self._packed.close()
        super().close()

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._inner.read(len(buffer))
        except self._troubles as error:
            raise UnreadableError(f"{self._file.name}: cannot be unpacked: {error}") from error
        self._left -= len(data)
        if self._left < 0:
            raise UnreadableError(
                f"{self._file.name}: unpacks to more than {MOST_TIMES} times its size, the most "
                "that tokaudit unpacks"
            )
        buffer[: len(data)] = data
        return len(data)


def unpacked(file: DataFile) -> io.BufferedReader:
    """Open a file, decompressed according to its suffix."""
    packed: Any = file.open()
    name = file.path.name
    if name.endswith(".gz"):
        inner: Any = gzip.GzipFile(fileobj=packed)
        return io.BufferedReader(Bounded(inner, packed, file))
    if name.endswith(".zst"):
        zstandard = library()
        unpacker = zstandard.ZstdDecompressor(max_window_size=LARGEST_WINDOW)
        reader = unpacker.stream_reader(packed, read_across_frames=True)
        return io.BufferedReader(Bounded(reader, packed, file, (*TROUBLES, zstandard.ZstdError)))
    return io.BufferedReader(packed)


def library() -> Any:
    """Return zstandard; raise `UsageError` with the command to install it."""
    return imported("zstandard", "data")


def bare_name(file: DataFile) -> str:
    """Return the name without a compressor's suffix.

    >>> from pathlib import Path
    >>> bare_name(DataFile("a.jsonl.gz", Path("a.jsonl.gz"), 0))
    'a.jsonl'
    """
    name = file.path.name
    return name.rpartition(".")[0] if name.endswith(SUFFIXES) else name
