"""Where the bytes of a subject are held that were read: in private copies, or else in memory.

A worker can be given a copy by its path, and it costs no memory of this process.
"""

from __future__ import annotations

import os
import tempfile
import threading
import weakref
from pathlib import Path
from typing import Protocol

from tokaudit.foundation import leftovers


class Copies:
    """The private folder of a subject's copies: made for the first, removed with this object."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._folder: Path | None = None
        self._number = 0

    def place(self, suffix: str) -> Path:
        """Find where a new copy may be written; raises `OSError` where there can be none."""
        with self._lock:
            if self._folder is None:
                leftovers.clear_dead(Path(tempfile.gettempdir()))
                prefix = leftovers.owned("tokaudit-read-")
                self._folder = Path(tempfile.mkdtemp(prefix=prefix))
                leftovers.add_path(self._folder)
                weakref.finalize(self, _remove, self._folder, os.getpid())
            self._number += 1
            return self._folder / f"{self._number}{suffix}"


def _remove(folder: Path, owner: int) -> None:
    """Remove a folder of copies, unless this process is a fork of the one that made it."""
    if os.getpid() == owner:
        leftovers.remove_path(folder)


class Store(Protocol):
    """Where bytes are held that were read."""

    def append(self, data: bytes) -> None:
        """Hold more bytes, after those that are held; raises `OSError` where there is no room."""
        ...

    def read(self, start: int, size: int) -> bytes:
        """So many bytes from a place on, or what there is of them."""
        ...


class OnDisk:
    """In a file that only this process writes; it is not held open, for there may be many."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, data: bytes) -> None:
        """Write at the end."""
        with self.path.open("ab") as copy:
            copy.write(data)

    def read(self, start: int, size: int) -> bytes:
        """So many bytes from a place on."""
        with self.path.open("rb") as copy:
            copy.seek(start)
            return copy.read(size)


class InMemory:
    """In this process."""

    def __init__(self, data: bytes = b"") -> None:
        self._data = bytearray(data)

    def append(self, data: bytes) -> None:
        """Add at the end."""
        self._data += data

    def read(self, start: int, size: int) -> bytes:
        """So many bytes from a place on."""
        return bytes(self._data[start : start + size])
