"""File contents, read once: what is hashed is what every parser and worker gets.

A file may be exchanged while an audit runs.  So what is read of it goes into a private copy as it
is read, and is hashed on the way; whoever asks again gets the copy, and workers get its path.  Of a
file of weights only the beginning is read and copied, as far as somebody asks.

Where no copy can be written, as on a full disk, the bytes are held in memory, and workers read the
file itself; whether it has changed meanwhile is still said.  Rows of weights are read from the file
itself too.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import re
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import BinaryIO

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.copies import Copies, InMemory, OnDisk, Store
from tokaudit.subject.sources import Beginning, Identity, LocalFile, Source, pieces

READ_AHEAD = 1 << 16  # bytes; of a file that is read in pieces
TOGETHER = 1 << 22  # bytes that are read at once of rows that lie side by side
SHA256 = re.compile(r"[0-9a-f]{64}")
BEGINNING = 64  # bytes that are kept of every file, to say later what it is


class Content:
    """The bytes read of one file, from its beginning; safe for use by several threads."""

    def __init__(
        self, path: Path, name: str, copies: Copies | None = None, source: Source | None = None
    ) -> None:
        self.name, self.copies = name, copies
        self._path = path
        self._source = LocalFile(path, name) if source is None else source
        self._lock = threading.RLock()
        self._store: Store | None = None
        self._held = 0  # bytes from the beginning that are in the store
        self._hash = hashlib.sha256()  # of those
        self._used: int | None = None
        self._size: int | None = None  # of the whole file; None while nothing was read
        self._identity: Identity | None = None
        self._exchanged = False  # between the listing and the first reading
        self.beginning = b""  # the first bytes, as they were listed
        self.passages: list[tuple[int, int]] = []  # what was read elsewhere: start and size

    @property
    def mark(self) -> str:
        """The mark of the content on its server; empty for a file of this machine."""
        return self._source.mark

    @property
    def was_read(self) -> bool:
        """Return whether more than the head has been read."""
        return self._size is not None

    def head(self, size: int) -> bytes:
        """Return the first bytes, for recognition; this does not count as reading."""
        try:
            with self._source.opened() as (file, _, found):
                self._identity = found
                data = file.read(size)
                self.beginning = data[:BEGINNING]
                return data
        except (UnreadableError, OSError):
            return b""

    @property
    def size(self) -> int:
        """Return the size of the whole file; raise `UnreadableError` if there is none."""
        with self._lock:
            if self._size is None:
                with self._opened():
                    pass
            return self._size or 0

    def read(self, start: int, size: int) -> bytes:
        """Return `size` bytes from a position; fewer at the end of the file."""
        with self._lock:
            self._reach(min(start + size, self.size))
            return self._store.read(start, size) if self._store else b""

    def elsewhere(self, start: int, size: int) -> bytes:
        """Return bytes from far inside a large file, which are neither copied nor hashed.

        They are of the file that was listed: one that was exchanged since is refused.
        """
        with self._lock, self._opened() as file:
            file.seek(start)
            self.passages.append((start, size))
            return b"".join(pieces(file, size))

    def many(self, ranges: Sequence[tuple[int, int]]) -> Iterator[bytes]:
        """Yield the bytes of several ranges in order, reading adjacent ones at once."""
        for together in _touching(ranges):
            first, (last, size) = together[0][0], together[-1]
            data = self.elsewhere(first, last + size - first)
            yield from (data[start - first : start - first + size] for start, size in together)

    def stream(self) -> io.BufferedReader:
        """Return a stream; skipped parts are read too, because they are copied."""
        _ = self.size
        return io.BufferedReader(_Pieces(self), READ_AHEAD)

    def used(self, end: int) -> None:
        """Record that of all bytes read ahead, only those before `end` were used."""
        self._used = max(end, self._used or 0)

    def digest(self) -> tuple[str, int]:
        """Return the SHA-256 of the bytes used, and their number; empty if nothing was read."""
        with self._lock:
            end = self._held if self._used is None else min(self._used, self._held)
            if self._size is None or end == self._held:
                return self._hash.hexdigest() if self._size is not None else "", end
            return hashlib.sha256(self.read(0, end)).hexdigest(), end

    def digest_of_all(self) -> str:
        """Return the SHA-256 of the whole file, whose beginning must be unchanged.

        Where a server states that digest, it is taken for a file that is not small.
        """
        with self._lock:
            if SHA256.fullmatch(self.mark) and self.size > READ_AHEAD and self._held < self.size:
                return self.mark
            if self._held == self.size:
                return self._hash.hexdigest()
            with self._opened() as file:
                digest = self._hash.copy()
                file.seek(self._held)
                for data in pieces(file, self.size - self._held):
                    digest.update(data)
                return digest.hexdigest()

    def for_a_worker(self, largest: int) -> Path:
        """Return the path of a whole copy, or of the file if too large or impossible to copy."""
        with self._lock:
            if self.size <= largest:
                self._reach(self.size)
                self._append(b"")  # so that a file of no bytes has a copy too
            return self.copy if self.copy and self._held == self.size else self._path

    @property
    def copy(self) -> Path | None:
        """Return the path of the copy, if there is one."""
        return self._store.path if isinstance(self._store, OnDisk) else None

    def has_changed(self) -> bool:
        """Return whether the bytes that were read have changed in the file."""
        with self._lock:
            if self._size is None or self._exchanged:
                return self._exchanged
            try:
                return not self._source.holds(self._was())
            except UnreadableError:
                return True

    def _was(self) -> Beginning:
        """Return the part read so far, by which the source is recognised again."""
        return Beginning(self._size or 0, self._held, self._hash.digest())

    def _reach(self, end: int) -> None:
        """Read on until `end` bytes are held, or the file ends."""
        if end > self._held:
            with self._opened() as file:
                file.seek(self._held)
                for data in pieces(file, end - self._held):
                    self._append(data)

    @contextlib.contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        """Open the file; raise `UnreadableError` if it is not the one that was read before."""
        with self._source.opened() as (file, size, found):
            if self._size is None:
                self._exchanged = self._identity not in (None, found)
                self._size, self._identity = size, found
            elif self._identity != found and not self._source.holds(self._was()):
                raise UnreadableError(f"{self.name}: was replaced while it was being read")
            yield file

    def _append(self, data: bytes) -> None:
        if self._store is None:
            self._store = self._new_store()
        try:
            self._store.append(data)
        except OSError:  # the disk is full
            self._store = InMemory(self._store.read(0, self._held))
            self._store.append(data)
        self._held += len(data)
        self._hash.update(data)

    def _new_store(self) -> Store:
        if self.copies is None:
            return InMemory()
        try:
            return OnDisk(self.copies.place(PurePath(self.name).suffix))
        except OSError:
            return InMemory()


def _touching(ranges: Sequence[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Group ranges that touch each other, up to `TOGETHER` bytes."""
    found: list[tuple[int, int]] = []
    for start, size in ranges:
        if found and (sum(found[-1]) != start or start + size - found[0][0] > TOGETHER):
            yield found
            found = []
        found.append((start, size))
    if found:
        yield found


class _Pieces(io.RawIOBase):
    """A content as a seekable file."""

    def __init__(self, content: Content) -> None:
        self._content, self._at = content, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._content.read(self._at, len(buffer))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._content.size}
        self._at = start[whence] + offset
        return self._at
