"""Sources of a file's bytes: a local disk, or a server that sends ranges."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from tokaudit.foundation.errors import UnreadableError

AT_ONCE = 1 << 20  # bytes

Identity = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Beginning:
    """The part of a file read so far: its size, the bytes held, and their SHA-256."""

    size: int
    held: int
    digest: bytes


class Source(Protocol):
    """A file somewhere; both methods raise `UnreadableError` if it is unavailable."""

    @property
    def mark(self) -> str:
        """Return the server's digest, ETag or version of the content; empty for local files."""
        ...

    def opened(self) -> AbstractContextManager[tuple[BinaryIO, int, Identity]]:
        """Open the file, with its size and an identity that changes if it is replaced."""
        ...

    def holds(self, beginning: Beginning) -> bool:
        """Return whether it is still the file that was read."""
        ...


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A regular local file, recognised again by its bytes."""

    path: Path
    name: str
    mark: str = ""

    @contextlib.contextmanager
    def opened(self) -> Iterator[tuple[BinaryIO, int, Identity]]:
        """Open the file, if it is a regular one."""
        with regular(self.path, self.name) as file:
            status = os.fstat(file.fileno())
            yield file, status.st_size, identity(status)

    def holds(self, beginning: Beginning) -> bool:
        """Return whether the size and the bytes that were read are unchanged."""
        with self.opened() as (file, size, _):
            digest = hashlib.sha256()
            for data in pieces(file, beginning.held):
                digest.update(data)
            return size == beginning.size and digest.digest() == beginning.digest


def pieces(file: BinaryIO, size: int) -> Iterator[bytes]:
    """Yield the next `size` bytes of a file, or fewer at its end."""
    while size > 0 and (data := file.read(min(AT_ONCE, size))):
        size -= len(data)
        yield data


def identity(status: os.stat_result) -> Identity:
    """Return numbers that change if a file is replaced or written to."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def regular(path: Path, name: str) -> BinaryIO:
    """Open a regular file for reading; raise `UnreadableError` for anything else."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise UnreadableError(f"{name}: cannot be opened: {error.strerror}") from error
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        what = "a folder; name a file" if stat.S_ISDIR(mode) else "not a regular file"
        raise UnreadableError(f"{name}: is {what}")
    return os.fdopen(descriptor, "rb", buffering=0)
