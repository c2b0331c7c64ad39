"""The limits a worker sets on itself before it imports any vendor."""

from __future__ import annotations

import contextlib
import resource
import signal

CPU_SECONDS = 1800
LARGEST_FILE = 64 * 1024 * 1024
GRACE = 5.0  # seconds that the parent, whose clock decides, has to end the worker itself


def limit(memory: int) -> None:
    """Bound address space, processor time, file size and core dumps, as the platform allows."""
    wanted = {
        "RLIMIT_AS": (memory, memory),
        "RLIMIT_CPU": (CPU_SECONDS, CPU_SECONDS + 5),  # apart, so that SIGXCPU tells the cause
        "RLIMIT_FSIZE": (LARGEST_FILE, LARGEST_FILE),
        "RLIMIT_CORE": (0, 0),
    }
    for name, pair in wanted.items():
        kind = getattr(resource, name, None)
        if kind is not None:
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(kind, pair)


def end_after(seconds: float) -> None:
    """Let the kernel end this process if the parent, having died, no longer can; 0 calls it off.

    The default action of SIGALRM needs neither the interpreter nor its lock, so it also ends a
    vendor that hangs in native code; a signal at the parent's death would not do, because it
    is sent when the *thread* that started the worker ends.
    """
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds + GRACE if seconds else 0)
