"""Protocol of a server: it lists its files and sends ranges of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol, TypeGuard

LARGEST = 1 << 63  # bytes of a file; a number beyond is none


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file of a server: its path, its size, and the mark of its content.

    `mark` is a digest, an ETag or a version; another mark is another file.
    """

    name: str
    size: int
    mark: str
    at: str  # where the server has it


@dataclass(frozen=True, slots=True)
class Listing:
    """The files at a name, and their commit, if there is one."""

    files: tuple[ListedFile, ...]
    commit: str = ""


def is_name(stated: object) -> TypeGuard[str]:
    """Return whether a response states a name that a URL can have.

    >>> is_name("model/config.json"), is_name("\\ud800.json"), is_name(None)
    (True, False, False)
    """
    return isinstance(stated, str) and re.search("[\ud800-\udfff]", stated) is None


def size_in(written: str) -> int | None:
    """Parse the number of bytes in a header, or return None.

    >>> size_in("17"), size_in("-1"), size_in("9" * 5000)
    (17, None, None)
    """
    found = re.fullmatch("[0-9]{1,19}", written)
    return as_size(int(found[0])) if found else None


def as_size(stated: object) -> int | None:
    """Return the number of bytes in a response, or None if a file cannot have it."""
    return stated if type(stated) is int and 0 <= stated < LARGEST else None


class Server(Protocol):
    """A place that keeps a subject; each method raises `UnreadableError` on refusal."""

    def listing(self) -> Listing:
        """List every file."""
        ...

    def range(self, file: ListedFile, start: int, size: int) -> bytes:
        """Read a range of a file; refuse one that changed since it was listed."""
        ...

    def mark_now(self, file: ListedFile) -> str:
        """Return the current mark of a file's content."""
        ...
