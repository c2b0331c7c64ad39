"""Worker-side channel for the bytes of files that it cannot open.

A file of this machine comes as a descriptor, so that its bytes are not copied; of a file at a URL
the parent fetches the bytes that are asked for, since the worker has no network.  The parent looks
at none of them.
"""

from __future__ import annotations

import io
import mmap
import os
import socket
from collections.abc import Iterator
from typing import Annotated, Any, BinaryIO, Literal

from msgspec import Meta, Struct

from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.foundation.placed_file import PlacedFile
from tokaudit.runtimes.worker.frames import FrameError, receive, send

VARIABLE = "TOKAUDIT_FILES"  # of the environment: the descriptor of a worker's end
LARGEST_REQUEST = 1 << 16  # bytes
MOST_READ = 1 << 26  # bytes of one answer
MOST_OPEN = 8  # files at a time
BLOCK = 4 << 20  # bytes that are asked for at once where a file is read in order
MAPPED_FROM = 1 << 17  # bytes
FLAGS = mmap.MAP_PRIVATE | getattr(mmap, "MAP_POPULATE", 0)  # all of it at once, where that is
FOUND, REFUSED, WRONG_USAGE = "found", "refused", "wrong usage"


class FileRequest(Struct, forbid_unknown_fields=True):
    """A request for a file by its bare name: its size, itself, or some of its bytes."""

    wanted: Literal["size", "file", "bytes"]
    name: Annotated[str, Meta(max_length=4096)]
    start: Annotated[int, Meta(ge=0, le=2**62)] = 0
    size: Annotated[int, Meta(ge=0, le=MOST_READ)] = 0


class FileReply(Struct):
    """The reply, followed by its bytes, and preceded by a descriptor if there is one.

    `size` is None where there is no such file.
    """

    outcome: str
    size: int | None = None
    words: str = ""
    follow: int = 0


class HandedFiles:
    """A source of files in a worker, which requests each from its parent."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._open: dict[str, int | None] = {}  # None for a file that has to be fetched
        self._channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, os.dup(descriptor))

    def size(self, where: str) -> int | None:
        """Return the size; None if there is no such file."""
        return self._asked(FileRequest("size", where))[0].size

    def open(self, where: str, name: str) -> BinaryIO:
        """Open the file for reading from its start."""
        own = self._own(where)
        if own is None:
            found: Any = io.BufferedReader(_Fetched(self, where, name), BLOCK)
        else:
            found = _Shared(own)
        return found  # type: ignore[no-any-return]

    def read(self, where: str, name: str, start: int, size: int) -> bytes:
        """Return up to `size` bytes from a position."""
        own = self._own(where)
        get = self._fetched if own is None else os.pread
        file: Any = where if own is None else own
        return b"".join(_parts(get, file, start, size))

    def view(self, where: str, name: str, start: int, size: int) -> bytes | memoryview:
        """Return the same, mapped into memory if it is large and local."""
        own = self._own(where)
        there = 0 if own is None else min(size, os.fstat(own).st_size - start)
        if own is None or there < MAPPED_FROM:
            return self.read(where, name, start, size)
        skipped = start % mmap.ALLOCATIONGRANULARITY
        length, at = skipped + there, start - skipped
        mapped = mmap.mmap(own, length, prot=mmap.PROT_READ, flags=FLAGS, offset=at)
        return memoryview(mapped)[skipped:]

    def forget(self) -> None:
        """Close open files, because the next question is about another one."""
        for own in filter(None, self._open.values()):
            os.close(own)
        self._open.clear()

    def _own(self, where: str) -> int | None:
        """Return the descriptor of a file; None if it has to be fetched."""
        if where not in self._open:
            if len(self._open) >= MOST_OPEN:
                self.forget()
            self._open[where] = self._asked(FileRequest("file", where))[1]
        return self._open[where]

    def _fetched(self, where: str, size: int, start: int) -> bytes:
        reply, _ = self._asked(FileRequest("bytes", where, start, min(size, MOST_READ)))
        return _exactly(self._descriptor, reply.follow)

    def _asked(self, request: FileRequest) -> tuple[FileReply, int | None]:
        send(self._descriptor, request)
        mark, files, _, _ = socket.recv_fds(self._channel, 1, 1)
        if not mark:
            raise FrameError("closed")
        reply: FileReply = receive(self._descriptor, type=FileReply, largest=LARGEST_REQUEST)
        if reply.outcome == WRONG_USAGE:
            raise UsageError(reply.words)
        if reply.outcome == REFUSED:
            raise UnreadableError(reply.words)
        return reply, files[0] if files else None


class _Shared(PlacedFile):
    """A file with a shared descriptor."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = os.dup(descriptor)

    def size(self) -> int:
        """Return the size by the descriptor."""
        return os.fstat(self._descriptor).st_size

    def readinto(self, buffer: Any) -> int:
        count = os.preadv(self._descriptor, [buffer], self.at)
        self.at += count
        return count

    def close(self) -> None:
        """Close the descriptor."""
        if not self.closed:
            os.close(self._descriptor)
        super().close()


class _Fetched(PlacedFile):
    """A file whose bytes the parent fetches, in order."""

    def __init__(self, files: HandedFiles, where: str, name: str) -> None:
        super().__init__()
        self._files, self._where, self._name = files, where, name

    def size(self) -> int:
        """Return the size that the parent states, or 0."""
        return self._files.size(self._where) or 0

    def readinto(self, buffer: Any) -> int:
        data = self._files.read(self._where, self._name, self.at, min(len(buffer), BLOCK))
        buffer[: len(data)] = data
        self.at += len(data)
        return len(data)


def _parts(get: Any, file: Any, start: int, size: int) -> Iterator[bytes]:
    while size > 0 and (part := get(file, min(size, MOST_READ), start)):
        yield part
        start, size = start + len(part), size - len(part)


def _exactly(descriptor: int, count: int) -> bytes:
    data, at = bytearray(count), 0
    while at < count:
        got = os.readv(descriptor, [memoryview(data)[at:]])
        if not got:
            raise FrameError("closed")
        at += got
    return bytes(data)
