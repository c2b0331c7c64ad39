"""Sources of the bytes of id files: this machine, a URL, or the parent process."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO, Protocol

from tokaudit.subject.remote import fsspec_files
from tokaudit.subject.sources import regular

Buffer = bytes | memoryview


class FileSource(Protocol):
    """Gives the size and the bytes of a file by its path, URL or name."""

    def size(self, where: str) -> int | None:
        """Return the size in bytes; None if there is no such file."""
        ...

    def open(self, where: str, name: str) -> BinaryIO:
        """Open the file for reading; raise `UnreadableError` with its `name`."""
        ...

    def read(self, where: str, name: str, start: int, size: int) -> bytes:
        """Return up to `size` bytes from a position."""
        ...

    def view(self, where: str, name: str, start: int, size: int) -> Buffer:
        """Return the same for numbers, without a copy if possible."""
        ...


class ThisMachine:
    """Regular files by path."""

    def size(self, where: str) -> int | None:
        """Return the size in bytes; None if there is no such file."""
        path = Path(where)
        return path.stat().st_size if path.is_file() else None

    def open(self, where: str, name: str) -> BinaryIO:
        """Open the file for reading; raise `UnreadableError` if it is not a regular one."""
        return regular(Path(where), name)

    def read(self, where: str, name: str, start: int, size: int) -> bytes:
        """Return up to `size` bytes from a position."""
        with self.open(where, name) as file:
            file.seek(start)
            parts = []
            while size > 0 and (part := file.read(size)):
                parts.append(part)
                size -= len(part)
            return b"".join(parts)

    def view(self, where: str, name: str, start: int, size: int) -> Buffer:
        """Return a copy: a mapped file that shrinks would end the process."""
        return self.read(where, name, start, size)


class ByUrl:
    """Files at URLs, fetched on demand."""

    def size(self, where: str) -> int | None:
        """Return the size in bytes; None if there is no such file."""
        return fsspec_files.size_of(where)

    def open(self, where: str, name: str) -> BinaryIO:
        """Open the file for reading from its start."""
        return fsspec_files.opened(where)

    def read(self, where: str, name: str, start: int, size: int) -> bytes:
        """Return up to `size` bytes from a position."""
        return fsspec_files.read(where, start, size)

    def view(self, where: str, name: str, start: int, size: int) -> Buffer:
        """Return the bytes: what is fetched is a copy."""
        return self.read(where, name, start, size)


THIS_MACHINE, BY_URL = ThisMachine(), ByUrl()


def source_of(where: str) -> FileSource:
    """Return the source for a path or URL."""
    return BY_URL if fsspec_files.is_url(where) else THIS_MACHINE
