"""What a place on a network can do: list its files, and send a range of one of them."""

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
    """Whoever keeps a subject; each member raises `UnreadableError` where it refuses."""

    def listing(self) -> Listing:
        """Every file of what was named."""
        ...

    def range(self, file: ListedFile, start: int, size: int) -> bytes:
        """So many bytes of a file from a place on; a file that changed since is refused."""
        ...

    def mark_now(self, file: ListedFile) -> str:
        """What marks the content of a file at this moment."""
        ...
