"""The protocol of a place on a network: it lists its files and sends ranges of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol, TypeGuard

LARGEST = 1 << 63  # bytes of a file; a number beyond is none


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file of a server: its path inside what was named, its bytes, and what marks its content.

    `mark` is a digest, an ETag or a version; another mark is another file.
    """

    name: str
    size: int
    mark: str
    at: str  # where the server has it


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of what was named, and the commit that they are of, where there is one."""

    files: tuple[ListedFile, ...]
    commit: str = ""


def is_name(stated: object) -> TypeGuard[str]:
    """Return whether an answer states a name that a URL can have.

    >>> is_name("model/config.json"), is_name("\\ud800.json"), is_name(None)
    (True, False, False)
    """
    return isinstance(stated, str) and re.search("[\ud800-\udfff]", stated) is None


def size_in(written: str) -> int | None:
    """The number of bytes that a header states, if it is one.

    >>> size_in("17"), size_in("-1"), size_in("9" * 5000)
    (17, None, None)
    """
    found = re.fullmatch("[0-9]{1,19}", written)
    return as_size(int(found[0])) if found else None


def as_size(stated: object) -> int | None:
    """The number of bytes that an answer states, if it is one that a file can have."""
    return stated if type(stated) is int and 0 <= stated < LARGEST else None


class Server(Protocol):
    """A place that keeps a subject; each member raises `UnreadableError` where it refuses."""

    def listing(self) -> Listing:
        """Every file of what was named."""
        ...

    def range(self, file: ListedFile, start: int, size: int) -> bytes:
        """A range of a file; one that changed since it was listed is refused."""
        ...

    def mark_now(self, file: ListedFile) -> str:
        """The mark of the content of a file at this moment."""
        ...
