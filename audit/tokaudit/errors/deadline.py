"""The moment at which an audit's time is up, and what ends then: nothing hangs, all is reported.

A question to a worker is cut by the worker's own clock.  A check that computes in this process is
cut by an exception that is raised in its thread, wherever it is; only code that never comes back
to the interpreter escapes that, and for it the inputs are bounded.
"""

from __future__ import annotations

import ctypes
import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tokaudit.errors import OutOfTime

AGAIN = 0.2  # seconds between two attempts to cut a thread, which may have caught the first


class Deadline:
    """So many seconds from now; for ever, if none are named.

    >>> Deadline().passed, Deadline(0).passed
    (False, True)
    """

    def __init__(self, seconds: float = math.inf) -> None:
        self._end = time.monotonic() + seconds
        self._cut: set[int] = set()  # the threads that may be cut
        self._lock = threading.Lock()

    @property
    def left(self) -> float:
        """Seconds until then, which are negative afterwards."""
        return self._end - time.monotonic()

    @property
    def passed(self) -> bool:
        """Whether the time is up."""
        return self.left <= 0

    def refuse(self) -> None:
        """Raise `OutOfTime` when the time is up."""
        if self.passed:
            raise OutOfTime

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Within this, threads that are `cuttable` are cut when the time is up."""
        if self.left == math.inf:
            yield
            return
        over = threading.Event()
        watch = threading.Thread(target=self._watch, args=(over,), name="deadline", daemon=True)
        watch.start()
        try:
            yield
        finally:
            over.set()
            watch.join()

    def _watch(self, over: threading.Event) -> None:
        while not over.wait(max(self.left, AGAIN)):
            if self.passed:
                with self._lock:
                    for thread in self._cut:
                        _raise_in(thread, OutOfTime)

    def cuttable(self) -> _Cuttable:
        """A context in which the current thread may be cut: it then raises `OutOfTime`."""
        return _Cuttable(self._cut, self._lock)


class _Cuttable:
    """Enters the current thread; a class, because a generator would have its own frames."""

    def __init__(self, cut: set[int], lock: threading.Lock) -> None:
        self._cut, self._lock = cut, lock

    def __enter__(self) -> None:
        with self._lock:
            self._cut.add(threading.get_ident())

    def __exit__(self, *_: object) -> None:
        """Leave, and call off what was not raised yet: it would hit who uses the thread next."""
        with self._lock:
            self._cut.discard(threading.get_ident())
            _raise_in(threading.get_ident(), None)


def _raise_in(thread: int, error: type[Exception] | None) -> None:
    """Let a thread raise an error at its next step in Python; None takes that back."""
    raised = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
