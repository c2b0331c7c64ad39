"""Finished pieces in a folder, so that an interrupted run can resume.

A piece holds the digest of all that decides it and the digest of its result.  A file in its place
that does not is refused by its name: it was damaged or exchanged, and a result would not be that of
the files.  Whoever may write in the folder can still write a whole piece.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic

from tokaudit.foundation.errors import NotWrittenError, UnreadableError, UsageError
from tokaudit.foundation.leftovers import clear_dead, owned, temporary
from tokaudit.shards.work import R, Task, Work, packed

LARGEST_PIECE = 1 << 28  # bytes
NEW = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC
THERE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True)
class FinishedPieces(Generic[R]):
    """A folder of finished pieces, each under the digest of its inputs."""

    folder: Path
    work: Work[Any, R]
    settings: bytes  # of the job, with the version of this program
    digests: Mapping[str, str]  # of the files of each task, by its name

    def made_of(self, task: Task) -> str:
        """Return the digest of all that decides a task's result."""
        parts = (self.settings, self.digests[task.name].encode(), packed(task))
        return hashlib.sha256(b"\0".join(parts)).hexdigest()

    def path(self, task: Task) -> Path:
        """Return the path of a task's result, existing or not."""
        return self.folder / f"{self.made_of(task)[:40]}.json"

    def read(self, task: Task) -> R | None:
        """Return the result of a finished task; raise `UsageError` for any other file."""
        path = self.path(task)
        try:
            held = _bytes_of(path)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _refused(path, error.strerror or "cannot be read") from error
        head, _, body = held.partition(b"\n")
        if head != _head(self.made_of(task), body):
            raise _refused(path, "is not the piece that was written under this name")
        try:
            return self.work.result_of(body)
        except ValueError as error:
            raise _refused(path, "contains no result") from error

    def keep(self, task: Task, result: R) -> None:
        """Write a result, whole or not at all."""
        path, body = self.path(task), packed(result)
        partial = path.with_name(f"{owned()}{secrets.token_hex(4)}")
        try:
            with temporary(partial), os.fdopen(os.open(partial, NEW, 0o644), "wb") as file:
                file.write(_head(self.made_of(task), body) + b"\n" + body)
                file.close()
                partial.replace(path)
        except OSError as error:
            raise NotWrittenError(f"{path}: cannot be written: {error.strerror}") from error


def _head(made_of: str, body: bytes) -> bytes:
    return f"{made_of} {hashlib.sha256(body).hexdigest()}".encode()


def _bytes_of(path: Path) -> bytes:
    """Read a regular file, never waiting for a writer; raise `OSError`."""
    with os.fdopen(os.open(path, THERE), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "is not a regular file")
        if status.st_size > LARGEST_PIECE:
            raise OSError(0, f"has more than {LARGEST_PIECE:,} bytes")
        return file.read(LARGEST_PIECE)


def _refused(path: Path, why: str) -> UsageError:
    return UsageError(
        f"resume: {path}: {why}; remove this file, and tokaudit computes this part of the run again"
    )


def kept_in(
    folder: str, work: Work[Any, R], settings: bytes, digests: Mapping[str, str]
) -> FinishedPieces[R]:
    """Return the finished pieces of a folder, creating it if needed."""
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        clear_dead(path)
    except OSError as error:
        raise UsageError(f"resume {folder!r}: {error.strerror}") from error
    return FinishedPieces(path, work, settings, digests)


def file_digest(file: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits; raise `UnreadableError`."""
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise UnreadableError(f"{file}: cannot be read: {error.strerror}") from error
