"""Sources of the bytes of a file: a disk of this machine, or a server that sends ranges."""

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
    """The beginning of a file as it was read: how many bytes of how many, and their SHA-256."""

    size: int
    held: int
    digest: bytes


class Source(Protocol):
    """A file somewhere; both methods raise `UnreadableError` where it cannot be had."""

    @property
    def mark(self) -> str:
        """A digest, an ETag or a version by which a server knows the content; here empty."""
        ...

    def opened(self) -> AbstractContextManager[tuple[BinaryIO, int, Identity]]:
        """The file, its size, and numbers or texts that differ if it was exchanged since."""
        ...

    def holds(self, beginning: Beginning) -> bool:
        """True while it is the file that was read."""
        ...


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A regular file of this machine, known again byte by byte."""

    path: Path
    name: str
    mark: str = ""

    @contextlib.contextmanager
    def opened(self) -> Iterator[tuple[BinaryIO, int, Identity]]:
        """The file, where it is a regular one."""
        with regular(self.path, self.name) as file:
            status = os.fstat(file.fileno())
            yield file, status.st_size, identity(status)

    def holds(self, beginning: Beginning) -> bool:
        """True while the size and the bytes that were read are there."""
        with self.opened() as (file, size, _):
            digest = hashlib.sha256()
            for data in pieces(file, beginning.held):
                digest.update(data)
            return size == beginning.size and digest.digest() == beginning.digest


def pieces(file: BinaryIO, size: int) -> Iterator[bytes]:
    """The next so many bytes of a file, or what there is of them."""
    while size > 0 and (data := file.read(min(AT_ONCE, size))):
        size -= len(data)
        yield data


def identity(status: os.stat_result) -> Identity:
    """Numbers that differ if a file was exchanged, or written to since."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def regular(path: Path, name: str) -> BinaryIO:
    """A regular file, opened for reading; raises `UnreadableError` for anything else."""
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
