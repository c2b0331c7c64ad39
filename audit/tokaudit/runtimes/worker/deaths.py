"""Rules of blame for a worker's death: only its question, and only if it dies twice.

A signal from outside, such as that of a kernel that has no memory left, says nothing about the
library.  Neither does a worker that could not start or be confined.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import threading
from collections.abc import Callable
from typing import TypeVar

from tokaudit.foundation.errors import WorkerLost

_Result = TypeVar("_Result")
NOT_STARTED = 71  # the exit code of a worker that could not start or give up what is offered
CPU_SIGNALS = ("SIGPROF", "SIGXCPU")
OF_THE_LIBRARY = (
    "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGSYS", "SIGTRAP", "SIGXFSZ",
    *CPU_SIGNALS,
)  # fmt: skip
OUT_OF_MEMORY = (
    "memoryerror",
    "out of memory",
    "memory allocation",
    "cannot allocate",
    "bad_alloc",
)
QUOTED_LINES = 3  # of what a worker printed, in the message of its death
KEPT = 64 * 1024  # bytes of what it printed last


class WorkerDied(Exception):
    """Raised if the process ended or timed out, with its last output.

    It is `own` where a limit of ours or the library itself has ended it, and not somebody else.
    """

    def __init__(
        self, how: str, printed: str, signal: str = "", *, late: bool = False, own: bool = True
    ) -> None:
        self.how, self.printed, self.signal, self.late, self.own = how, printed, signal, late, own
        super().__init__(": ".join([how, *_last_words(printed)]))


def surely(
    ask: Callable[[], _Result],
    before: WorkerDied | None = None,
    *,
    suspect: bool = False,
    of: str = "",
) -> _Result:
    """Return the answer, by a second worker if the first one dies.

    Raises `WorkerDied` where two have died of the question by themselves, and `WorkerLost` where
    something else came between.  `before` is the death of a worker that was asked the same with
    more; where the question is a `suspect`, one death is enough to look closer.  `of` names whose
    worker is lost.
    """
    deaths = [before] if before is not None else []
    for _ in range(2):
        try:
            return ask()
        except WorkerDied as died:
            deaths.append(died)
            if sum(each.own for each in deaths) >= (1 if suspect else 2):
                raise
    raise WorkerLost(str(next(each for each in reversed(deaths) if not each.own)), of)


def by_signal(number: int, printed: str, confined: bool) -> WorkerDied:
    """Describe a death by signal; `confined` if memory is limited from outside."""
    name = signal.Signals(number).name
    own = name in OF_THE_LIBRARY and not confined
    return WorkerDied(f"killed by {name}", printed, name, own=own)


def by_exit(code: int, printed: str, confined: bool) -> WorkerDied:
    """Describe a death by exit code; one code means that the worker never started."""
    if code == NOT_STARTED:
        return WorkerDied("could not start, or could not drop its privileges", printed, own=False)
    return WorkerDied(f"ended with exit code {code}", printed, own=not confined)


def confined_by_others(memory: int) -> str:
    """Describe a memory limit of this process that is below that of its workers."""
    for kind, name in ((resource.RLIMIT_AS, "RLIMIT_AS"), (resource.RLIMIT_DATA, "RLIMIT_DATA")):
        _, hard = resource.getrlimit(kind)  # a worker may raise the other one
        if hard != resource.RLIM_INFINITY and hard < memory:
            return f"the audit was started with {name} of {hard // 1_000_000:,} MB"
    return ""


def is_about_memory(words: str) -> bool:
    """Return whether a library refuses for lack of memory."""
    return any(known in words.lower() for known in OUT_OF_MEMORY)


def _last_words(printed: str) -> list[str]:
    """Return the end of the output, in one line, without Rust's advice."""
    lines = [line.strip() for line in printed.splitlines()]
    telling = [line for line in lines if line and not line.startswith("note: ")]
    return [" | ".join(telling[-QUOTED_LINES:])[:500]] if telling else []


class Tail:
    """Reads what a process prints to its end, in a thread, and keeps the last bytes."""

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
