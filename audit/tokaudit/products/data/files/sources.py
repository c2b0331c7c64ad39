"""Where the bytes of files of ids come from: this machine, a URL, or the process that has them."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO, Protocol

from tokaudit.subject.remote import fsspec_files
from tokaudit.subject.sources import regular

Buffer = bytes | memoryview


class FileSource(Protocol):
    """Gives the size and the bytes of a file by its path, its URL or its name."""

    def size(self, where: str) -> int | None:
        """Return how many bytes it has; None where there is no such file."""
        ...

    def open(self, where: str, name: str) -> BinaryIO:
        """The file, for reading; raises `UnreadableError`, which calls it by `name`."""
        ...

    def read(self, where: str, name: str, start: int, size: int) -> bytes:
        """So many bytes from a place on, or what there is of them."""
        ...

    def view(self, where: str, name: str, start: int, size: int) -> Buffer:
        """The same for numbers, without a copy where that is possible."""
        ...


class ThisMachine:
    """Regular files by their paths."""

    def size(self, where: str) -> int | None:
        """Return how many bytes it has; None where there is no such file."""
        path = Path(where)
        return path.stat().st_size if path.is_file() else None

    def open(self, where: str, name: str) -> BinaryIO:
        """The file, for reading; raises `UnreadableError` for what is not a regular file."""
        return regular(Path(where), name)

    def read(self, where: str, name: str, start: int, size: int) -> bytes:
        """So many bytes from a place on, or what there is of them."""
        with self.open(where, name) as file:
            file.seek(start)
            parts = []
            while size > 0 and (part := file.read(size)):
                parts.append(part)
                size -= len(part)
            return b"".join(parts)

    def view(self, where: str, name: str, start: int, size: int) -> Buffer:
        """A copy: a file that becomes shorter while it is mapped would end the process."""
        return self.read(where, name, start, size)


class ByUrl:
    """Files at URLs, of which only what is asked for is fetched."""

    def size(self, where: str) -> int | None:
        """Return how many bytes it has; None where there is no such file."""
        return fsspec_files.size_of(where)

    def open(self, where: str, name: str) -> BinaryIO:
        """The file, for reading from its beginning on."""
        return fsspec_files.opened(where)

    def read(self, where: str, name: str, start: int, size: int) -> bytes:
        """So many bytes from a place on, or what there is of them."""
        return fsspec_files.read(where, start, size)

    def view(self, where: str, name: str, start: int, size: int) -> Buffer:
        """Read the bytes: what is fetched is a copy."""
        return self.read(where, name, start, size)


THIS_MACHINE, BY_URL = ThisMachine(), ByUrl()


def source_of(where: str) -> FileSource:
    """Return the source of the bytes of a path or URL."""
    return BY_URL if fsspec_files.is_url(where) else THIS_MACHINE
