"""What is audited: files and the facts they state. Frozen; opening one runs no code from it."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import Any

from tokaudit.errors import UnreadableError

LARGEST_READ = 70_000_000  # bytes; the largest published tokenizer file has 35 MB, half of it


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One regular file of a subject; `name` is its path inside the subject, with slashes."""

    name: str
    path: Path
    size: int
    role: str  # a format's name, "config", "weights", "template" ... or "unread"
    impostor: str = ""  # what its first bytes say it is instead of what its name says


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a file states, with the JSON pointer that states it.

    `expected` is empty, unless the value is of a type that no loader takes there.
    """

    name: str
    value: Any
    file: str
    pointer: str
    expected: str = ""


@dataclass(frozen=True)
class Subject:
    """A checkpoint folder or a single tokenizer file; or one tokenizer of a repository.

    `settings` carries what the user said about a bare file (`pattern`, `special`: token -> id).
    `part` is the folder that names the tokenizer in a repository of several, "." for the top one;
    `original` the part that it is a copy of.
    """

    name: str
    root: Path
    files: tuple[SourceFile, ...]
    facts: tuple[Fact, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    part: str = ""
    original: str = ""

    @property
    def title(self) -> str:
        """The name, with that of the part."""
        return f"{self.name} [{self.part}]" if self.part else self.name

    def file(self, name: str) -> SourceFile | None:
        """The file of that name inside the subject, or None."""
        return next((file for file in self.files if file.name == name), None)

    def facts_named(self, *names: str) -> list[Fact]:
        """Every usable statement of any of these facts, in file order."""
        return [fact for fact in self.facts if fact.name in names and not fact.expected]

    def fact(self, *names: str) -> Fact | None:
        """The first statement of any of these facts, or None."""
        return next(iter(self.facts_named(*names)), None)


def read_bytes(file: SourceFile, largest: int = LARGEST_READ) -> bytes:
    """Read a regular file whole, refusing one that is larger than `largest` bytes.

    Raises `UnreadableError` for a FIFO, device or directory, and for a file that is too large.
    """
    with open_regular(file) as handle:
        size = os.fstat(handle.fileno()).st_size
        if size > largest:
            raise UnreadableError(f"{file.name}: has {size:,} bytes; at most {largest:,} are read")
        return handle.read(largest + 1)[:largest]


def sha256(file: SourceFile) -> str:
    """The digest of a regular file of any size, in constant memory."""
    with open_regular(file) as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def open_regular(file: SourceFile) -> BufferedReader:
    """Open a regular file for reading; raises `UnreadableError` for anything else."""
    try:
        descriptor = os.open(file.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise UnreadableError(f"{file.name}: cannot be opened: {error.strerror}") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UnreadableError(f"{file.name}: is not a regular file")
    return os.fdopen(descriptor, "rb")
