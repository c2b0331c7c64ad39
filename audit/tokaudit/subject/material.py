"""The subject as frozen data: files and their facts; opening one runs none of its code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.content import Content
from tokaudit.subject.traffic import Served

LARGEST_READ = 70_000_000  # bytes; the largest published tokenizer file has 35 MB, half of it

UNREAD = Content(Path(), "")
GONE = "\n"  # at the end of a name that no reader looks for
LOST, LEAVES, OTHER = (
    "a link to nothing",
    "refused: a link that leaves the subject",
    "not a regular file",
)
NOT_OPENED = (LOST, LEAVES, OTHER)
"""Roles of what a folder lists and nobody opens."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One regular file of a subject; `name` is its path inside the subject, with slashes.

    `content` is what was read of it; `path` is only a name, because the file may be exchanged.
    """

    name: str
    path: Path
    size: int
    role: str  # a format's name, "config", "weights", "template" ... or "unread"
    impostor: str = ""  # what its first bytes say it is instead of what its name says
    content: Content = field(default=UNREAD, repr=False, compare=False)
    read_as: str = ""  # the name that readers are to find it by, where the user gave it a role

    def __post_init__(self) -> None:
        """Give a file without content its own, in memory."""
        if self.content is UNREAD:
            object.__setattr__(self, "content", Content(self.path, self.name))

    @property
    def regular(self) -> bool:
        """Return whether it is an opened file, and not a link or a special file."""
        return self.role not in NOT_OPENED

    @property
    def known(self) -> str:
        """Return the standard name for readers: its own, unless the user gave it a role."""
        return self.read_as or self.name

    @property
    def base(self) -> str:
        """Return the last part of the standard name."""
        return self.known.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement of a file, with its JSON pointer.

    `expected` is empty, unless the value is of a type that no loader takes there.
    """

    name: str
    value: Any
    file: str
    pointer: str
    expected: str = ""


@dataclass(frozen=True, slots=True)
class TranslationSide:
    """One of two vocabularies of a model: its size key, and the other one's tensors.

    `not_of` is a part of the names of tensors, such as `decoder`; empty where all are its own.
    """

    not_of: str = ""
    size: str = "vocab_size"


WHOLE = TranslationSide()


@dataclass(frozen=True, repr=False)
class Subject:
    """A checkpoint folder, a single tokenizer file, or one tokenizer of a repository.

    `settings` carries what the user said about a bare file (`pattern`, `special`: token -> id).
    `part` is the folder that names the tokenizer in a repository of several, "." for the top one,
    or the main file of a second one in a folder; `original` the part that it is a copy of.
    """

    name: str
    root: Path
    files: tuple[SourceFile, ...]
    facts: tuple[Fact, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    part: str = ""
    original: str = ""
    side: TranslationSide = WHOLE
    served: Served | None = None  # where it was read from a server

    def __repr__(self) -> str:
        """Return the name, and the number of files."""
        return f"<Subject {self.title!r}: {len(self.files)} files, {len(self.facts)} facts>"

    @property
    def title(self) -> str:
        """Return the name, with the part's."""
        return f"{self.name} [{self.part}]" if self.part else self.name

    def file(self, name: str) -> SourceFile | None:
        """Return the file with that standard name inside the subject, or that own name, or None."""
        known = (file for file in self.files if file.known == name)
        named = (file for file in self.files if file.name == name)
        return next(known, None) or next(named, None)

    def base_of(self, fact: Fact) -> str:
        """Return the last part of the standard name of a fact's file."""
        file = next((file for file in self.files if file.name == fact.file), None)
        return file.base if file is not None else fact.file.rpartition("/")[2]

    def facts_named(self, *names: str) -> list[Fact]:
        """Return every usable statement of any of these facts, in file order."""
        return [fact for fact in self.facts if fact.name in names and not fact.expected]

    def fact(self, *names: str) -> Fact | None:
        """Return the first statement of any of these facts, or None."""
        return next(iter(self.facts_named(*names)), None)


def read_bytes(file: SourceFile, largest: int = LARGEST_READ) -> bytes:
    """Read a whole regular file, refusing one larger than `largest` bytes.

    Raises `UnreadableError` for a FIFO, device or directory, and for a file that is too large.
    """
    size = file.content.size
    if size > largest:
        raise UnreadableError(f"{file.name}: has {size:,} bytes; at most {largest:,} are read")
    return file.content.read(0, size)
