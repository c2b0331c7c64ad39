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


def end_after(seconds: float, processor: float) -> None:
    """Let the kernel end this process after a time of each clock; 0 calls both off.

    By the wall clock only if the parent, having died, no longer can; by the processor's clock, so
    that a hang costs the same on a busy machine.  The default actions of both signals need neither
    the interpreter nor its lock, so they also end a vendor that hangs in native code; a signal at
    the parent's death would not do, because it is sent when the *thread* that started the worker
    ends.  Programs that the worker starts do not inherit the timers.
    """
    for kind in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(kind, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds + GRACE if seconds else 0)
    signal.setitimer(signal.ITIMER_PROF, processor if seconds else 0)
