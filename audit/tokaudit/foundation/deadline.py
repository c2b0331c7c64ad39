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

from tokaudit.foundation.errors import OutOfTime

AGAIN = 0.2  # seconds between two attempts to cut a thread, which may have caught the first
LOOK = 1.0  # seconds between two looks at the processor's clock


class Deadline:
    """So many seconds from now; for ever, if none are named.

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
        """Seconds until then, which are negative afterwards."""
        return self._end - time.monotonic()

    @property
    def passed(self) -> bool:
        """Whether the time is up."""
        return self._ended is not None or self.left <= 0 or self.computed > self._processor

    @property
    def computed(self) -> float:
        """Seconds of the processor that cuttable threads have used."""
        with self._lock:
            running = (_clock_of(thread) - since for thread, since in self._cut.items())
            return self._computed + sum(running)

    def refuse(self) -> None:
        """Raise `OutOfTime` when the time is up."""
        if self._ended is not None:
            raise self._ended.with_traceback(None)
        if self.passed:
            raise OutOfTime

    def end(self, error: OutOfTime) -> None:
        """End now what is still to come, which is then skipped with the words of an error."""
        if self._ended is None:
            self._ended = error
            self._cut_all()

    @contextmanager
    def shared(self, parts: int) -> Iterator[None]:
        """Within this, the time is up after one of so many equal parts of what is left.

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
        """Within this, threads that are `cuttable` are cut when the time is up."""
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
        """A context in which the current thread may be cut: it then raises `OutOfTime`."""
        return _Cuttable(self)

    def enter(self) -> None:
        """List the current thread as one that may be cut."""
        with self._lock:
            thread = threading.get_ident()
            self._cut[thread] = _clock_of(thread)

    def leave(self) -> None:
        """List it no longer, and catch what was not raised yet: it would hit who comes next."""
        with self._lock:
            thread = threading.get_ident()
            self._computed += _clock_of(thread) - self._cut.pop(thread)
            if thread in self._raised:
                self._raised.remove(thread)
                _catch_in_this(thread)


class _Cuttable:
    """Enters the current thread; a class, because a generator would have its own frames."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline

    def __enter__(self) -> None:
        self._deadline.enter()

    def __exit__(self, *_: object) -> None:
        self._deadline.leave()


def _clock_of(thread: int) -> float:
    """The processor's clock of a thread that runs; it stays at 0 where the system has none."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return 0.0
    return time.clock_gettime(time.pthread_getcpuclockid(thread))


def _raise_in(thread: int, error: type[Exception]) -> None:
    """Let a thread raise an error at its next step in Python, in place of one that waits."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


def _catch_in_this(thread: int) -> None:
    """Let the current thread raise the error now, if it has not yet, and pass over it.

    Python can also take such an error back, but CPython 3.11 then looks for one at every step from
    then on, and hangs in the next function that is traced, as under a debugger.
    """
    try:
        _raise_in(thread, OutOfTime)
        while True:  # an error is raised at the end of a round at the latest
            pass
    except OutOfTime:
        pass
