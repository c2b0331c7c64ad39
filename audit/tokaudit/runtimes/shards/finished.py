"""Finished pieces in a folder, so that a run that was ended goes on where it was."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic

from tokaudit.foundation.errors import NotWrittenError, UnreadableError, UsageError
from tokaudit.runtimes.shards.work import R, Task, Work, packed


@dataclass(frozen=True)
class FinishedPieces(Generic[R]):
    """A folder of finished pieces, each under the digest of all that decides it."""

    folder: Path
    work: Work[Any, R]
    settings: bytes  # of the job, with the version of this program
    digests: Mapping[str, str]  # of the files of each task, by its name

    def path(self, task: Task) -> Path:
        """Where the result of a task is, or will be."""
        parts = (self.settings, self.digests[task.name].encode(), packed(task))
        digest = hashlib.sha256(b"\0".join(parts)).hexdigest()
        return self.folder / f"{digest[:40]}.json"

    def read(self, task: Task) -> R | None:
        """The result of a task, if it was finished; what cannot be read is done again."""
        try:
            return self.work.result_of(self.path(task).read_bytes())
        except (OSError, ValueError):
            return None

    def keep(self, task: Task, result: R) -> None:
        """Write a result, whole or not at all."""
        path = self.path(task)
        partial = path.with_suffix(".part")
        try:
            partial.write_bytes(packed(result))
            partial.replace(path)
        except OSError as error:
            raise NotWrittenError(f"{path}: cannot be written: {error.strerror}") from error


def kept_in(
    folder: str, work: Work[Any, R], settings: bytes, digests: Mapping[str, str]
) -> FinishedPieces[R]:
    """The finished pieces of a folder, which is made where there is none."""
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"resume {folder!r}: {error.strerror}") from error
    return FinishedPieces(path, work, settings, digests)


def file_digest(file: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits; raises `UnreadableError`."""
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise UnreadableError(f"{file}: cannot be read: {error.strerror}") from error
