"""Keep the end of a process's output, however long."""

from __future__ import annotations

import contextlib
import os
import threading

KEPT = 64 * 1024  # bytes


class Tail:
    """Reads a pipe to its end in a thread and keeps the last bytes."""

    def __init__(self, descriptor: int) -> None:
        self._kept = bytearray()
        self._descriptor = descriptor
        self._thread = threading.Thread(target=self._read, name="tokaudit-tail", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError, MemoryError):  # who waits for the worker says so
            while part := os.read(self._descriptor, KEPT):
                self._kept += part
                del self._kept[:-KEPT]
        os.close(self._descriptor)

    def text(self, wait: float = 0.0) -> str:
        """Return the kept output, after waiting up to `wait` seconds for the end."""
        self._thread.join(wait)
        return bytes(self._kept).decode("utf-8", "replace")
