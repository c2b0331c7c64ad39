"""Count and limit the requests, bytes and seconds of reading over a network."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tokaudit.foundation.errors import UnreadableError

MOST_REQUESTS = 4_000
MOST_BYTES = 1_000_000_000
MOST_SECONDS = 300.0  # in which at least one request is under way
STALLED = 20.0  # seconds without a byte

_UNITS = ("bytes", "kB", "MB", "GB", "TB")


class Traffic:
    """A budget shared by threads; each method raises `UnreadableError` beyond it.

    A server that stays busy is not asked again: its `refusal` is that of every later request.
    """

    def __init__(self, requests: int = MOST_REQUESTS, seconds: float = MOST_SECONDS) -> None:
        self.requests, self.read, self.listed = 0, 0, 0
        self.refusal: UnreadableError | None = None  # of a server that stays busy
        self._most_requests, self._most_seconds = requests, seconds
        self._lock = threading.Lock()
        self._waited, self._under_way, self._since = 0.0, 0, 0.0

    @contextmanager
    def request(self, where: str) -> Iterator[None]:
        """Count one request while it runs."""
        if self.refusal is not None:
            raise self.refusal
        with self._lock:
            self.requests += 1
            if self.requests > self._most_requests:
                raise _too_much(where, f"{self._most_requests:,} requests")
            if not self._under_way:
                self._since = time.monotonic()
            self._under_way += 1
        try:
            yield
        finally:
            with self._lock:
                self._under_way -= 1
                if not self._under_way:
                    self._waited += time.monotonic() - self._since

    def seconds_left(self, where: str) -> float:
        """Return the seconds that a server may still take."""
        with self._lock:
            now = time.monotonic() - self._since if self._under_way else 0.0
            left = self._most_seconds - self._waited - now
        if left <= 0:
            raise _too_much(where, f"{self._most_seconds:g} s of waiting")
        return left

    def count(self, size: int, where: str) -> None:
        """Count received bytes."""
        with self._lock:
            self.read += size
            if self.read > MOST_BYTES:
                raise _too_much(where, in_words(MOST_BYTES))

    def __str__(self) -> str:
        """Return the line to print."""
        requests = "1 request" if self.requests == 1 else f"{self.requests:,} requests"
        return f"read {in_words(self.read)} of {in_words(self.listed)} in {requests}"


@dataclass(frozen=True)
class Served:
    """A subject on a server: its commit, if any, and the traffic so far."""

    commit: str
    traffic: Traffic


def _too_much(where: str, limit: str) -> UnreadableError:
    return UnreadableError(
        f"{where}: takes more than {limit}; download the folder, and name the local copy"
    )


def in_words(size: int) -> str:
    """Format a number of bytes in the largest unit that leaves one or more.

    >>> in_words(512), in_words(9_300_000), in_words(1_300_000_000_000)
    ('512 bytes', '9.3 MB', '1.3 TB')
    """
    value, place = float(size), 0
    while value >= 1000 and place < len(_UNITS) - 1:
        value, place = value / 1000, place + 1
    return f"{size} bytes" if not place else f"{value:.1f} {_UNITS[place]}"
