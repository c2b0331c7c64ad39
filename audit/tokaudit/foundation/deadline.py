"""Deadline of an audit, at which work is cut off and the rest reported as skipped.

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

from tokaudit.foundation.errors import OutOfTime

AGAIN = 0.2  # seconds between two attempts to cut a thread, which may have caught the first
LOOK = 1.0  # seconds between two looks at the processor's clock


class Deadline:
    """A time limit in seconds from now; without a limit it never passes.

    `processor` is how long all threads together may compute while they are `cuttable`: a busy
    machine makes that no longer, and other threads of the process do not count.

    >>> Deadline().passed, Deadline(0).passed
    (False, True)
    """

    def __init__(self, seconds: float = math.inf, processor: float = math.inf) -> None:
        self._end = time.monotonic() + seconds
        self._processor = processor
        self._computed = 0.0  # seconds, by threads that are cuttable no more
        self._cut: dict[int, float] = {}  # the threads that may be cut, and their clocks then
        self._raised: set[int] = set()  # those of them in which `OutOfTime` was raised
        self._ended: OutOfTime | None = None
        self._lock = threading.RLock()

    @property
    def left(self) -> float:
        """Return the seconds left, negative after the deadline."""
        return self._end - time.monotonic()

    @property
    def passed(self) -> bool:
        """Return whether the time is up."""
        return self._ended is not None or self.left <= 0 or self.computed > self._processor

    @property
    def computed(self) -> float:
        """Return the processor seconds that cuttable threads have used."""
        with self._lock:
            running = (_clock_of(thread) - since for thread, since in self._cut.items())
            return self._computed + sum(running)

    def refuse(self) -> None:
        """Raise `OutOfTime` if the time is up."""
        if self._ended is not None:
            raise self._ended.with_traceback(None)
        if self.passed:
            raise OutOfTime

    def end(self, error: OutOfTime) -> None:
        """End all remaining work now; it is skipped with the message of the error."""
        if self._ended is None:
            self._ended = error
            self._cut_all()

    @contextmanager
    def shared(self, parts: int) -> Iterator[None]:
        """Limit the block to one of `parts` equal parts of the remaining time.

        >>> deadline = Deadline(60)
        >>> with deadline.shared(3):
        ...     deadline.left <= 20
        True
        >>> deadline.left > 40
        True
        """
        whole = self._end
        self._end = time.monotonic() + max(0.0, self.left) / max(1, parts)
        try:
            yield
        finally:
            self._end = whole

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Cut `cuttable` threads in this block when the time is up."""
        if self.left == self._processor == math.inf:
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
        while not over.wait(max(AGAIN, 0 if self.passed else min(self.left, LOOK))):
            if self.passed:
                self._cut_all()

    def _cut_all(self) -> None:
        with self._lock:
            for thread in self._cut:
                self._raised.add(thread)
                _raise_in(thread, OutOfTime if self._ended is None else type(self._ended))

    def cuttable(self) -> _Cuttable:
        """Return a context in which the current thread may be cut: it then raises `OutOfTime`."""
        return _Cuttable(self)

    def enter(self) -> None:
        """Mark the current thread as one that may be cut."""
        with self._lock:
            thread = threading.get_ident()
            self._cut[thread] = _clock_of(thread)

    def leave(self) -> None:
        """Unmark it, and catch a pending error, which would hit the next caller."""
        with self._lock:
            thread = threading.get_ident()
            self._computed += _clock_of(thread) - self._cut.pop(thread)
            if thread in self._raised:
                self._raised.remove(thread)
                _catch_in_this(thread)


class _Cuttable:
    """Marks the current thread; a class, because a generator would have its own frames."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline

    def __enter__(self) -> None:
        self._deadline.enter()

    def __exit__(self, *_: object) -> None:
        self._deadline.leave()


def _clock_of(thread: int) -> float:
    """Return the processor clock of a running thread; 0 if the system has none."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return 0.0
    return time.clock_gettime(time.pthread_getcpuclockid(thread))


def _raise_in(thread: int, error: type[Exception]) -> None:
    """Make a thread raise an error at its next Python step, replacing a pending one."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


def _catch_in_this(thread: int) -> None:
    """Raise a pending error in the current thread now, and ignore it.

    Python can also take such an error back, but CPython 3.11 then looks for one at every step from
    then on, and hangs in the next function that is traced, as under a debugger.
    """
    try:
        _raise_in(thread, OutOfTime)
        while True:  # an error is raised at the end of a round at the latest
            pass
    except OutOfTime:
        pass
