"""Storage for the bytes read of a subject: private copies, or else memory.

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
    """A private folder for a subject's copies: created on demand, removed with this object."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._folder: Path | None = None
        self._number = 0

    def place(self, suffix: str) -> Path:
        """Return the path for a new copy; raise `OSError` if there can be none."""
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
    """Remove a folder of copies, unless this process is a fork of its creator."""
    if os.getpid() == owner:
        leftovers.remove_path(folder)


class Store(Protocol):
    """Storage for bytes that were read."""

    def append(self, data: bytes) -> None:
        """Append bytes; raise `OSError` if there is no room."""
        ...

    def read(self, start: int, size: int) -> bytes:
        """Return up to `size` bytes from a position."""
        ...


class OnDisk:
    """Storage in a private file, which is not held open, because there may be many."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, data: bytes) -> None:
        """Append bytes."""
        with self.path.open("ab") as copy:
            copy.write(data)

    def read(self, start: int, size: int) -> bytes:
        """Return up to `size` bytes from a position."""
        with self.path.open("rb") as copy:
            copy.seek(start)
            return copy.read(size)


class InMemory:
    """Storage in this process."""

    def __init__(self, data: bytes = b"") -> None:
        self._data = bytearray(data)

    def append(self, data: bytes) -> None:
        """Append bytes."""
        self._data += data

    def read(self, start: int, size: int) -> bytes:
        """Return up to `size` bytes from a position."""
        return bytes(self._data[start : start + size])
