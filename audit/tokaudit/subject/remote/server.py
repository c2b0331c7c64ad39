"""The protocol of a place on a network: it lists its files and sends ranges of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


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
