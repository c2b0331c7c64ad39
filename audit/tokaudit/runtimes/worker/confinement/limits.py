"""Limits that a worker sets on itself before it imports any library."""

from __future__ import annotations

import contextlib
import fcntl
import os
import resource
import select
import signal
import sys
from pathlib import Path
from typing import NoReturn

from tokaudit.foundation.own_process import die_with_parent

CPU_SECONDS = 1800
LARGEST_FILE = 64 * 1024 * 1024
MOST_DESCRIPTORS = 256  # of a worker in the sandbox; adapters open about twenty
FIRST_TO_GO = "800"  # where memory runs out, of 1,000: a worker and not the audit
GRACE = 5.0  # seconds that the parent, whose clock decides, has to end the worker itself


def limit(memory: int, *, sandboxed: bool = False) -> None:
    """Limit address space, processor time, file size and core dumps, as possible.

    What the user named may open as many files as the user.
    """
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(FIRST_TO_GO, "ascii")
    wanted = {
        "RLIMIT_AS": (memory, memory),
        "RLIMIT_DATA": (memory, memory),  # in place of what the parent has bounded itself to
        "RLIMIT_CPU": (CPU_SECONDS, CPU_SECONDS + 5),  # apart, so that SIGXCPU tells the cause
        "RLIMIT_FSIZE": (LARGEST_FILE, LARGEST_FILE),
        "RLIMIT_CORE": (0, 0),
    }
    if sandboxed:
        wanted["RLIMIT_NOFILE"] = (MOST_DESCRIPTORS, MOST_DESCRIPTORS)
    for name, pair in wanted.items():
        kind = getattr(resource, name, None)
        if kind is not None:
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(kind, pair)


def end_after(seconds: float, processor: float = 0.0) -> None:
    """Let the kernel end this process after a time by each clock; 0 disables both.

    By the wall clock only if the parent, having died, no longer can; by the processor's clock, so
    that a hang costs the same on a busy machine.  The default actions of both signals need neither
    the interpreter nor its lock, so they also end a library that hangs in native code.  Programs
    that the worker starts do not inherit the timers.
    """
    for kind in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(kind, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds + GRACE if seconds else 0)
    signal.setitimer(signal.ITIMER_PROF, processor if seconds else 0)


def heed_parent(pipe: int) -> None:
    """Let the kernel kill this process with its parent, and signal its group by the pipe.

    The first holds against a library that changes the second, and needs a parent that starts
    workers from a thread that lasts.  The second also reaches what a named program has started.
    """
    if sys.platform == "linux":
        die_with_parent()
    fcntl.fcntl(pipe, fcntl.F_SETOWN, -os.getpid() if _leads() else os.getpid())


def end_with_parent(pipe: int, busy: bool) -> None:
    """Let the kernel end the group if nobody reads its answers while it is `busy`.

    A process that waits for a question reads the end of the pipe by itself; one in the middle of an
    answer does not look.  The pipe then sends SIGIO, whose default action also ends native code.
    Between two questions it is off, because a parent that reads would send it too.  It has to be
    the pipe of answers: a parent that writes wakes this process first and sends the signal of its
    writing afterwards, when the question is at work; the reading of an answer is over, signal
    included, before the next question is written.
    """
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    flags = fcntl.fcntl(pipe, fcntl.F_GETFL)
    fcntl.fcntl(pipe, fcntl.F_SETFL, flags | os.O_ASYNC if busy else flags & ~os.O_ASYNC)
    if busy and _hung_up(pipe):  # before the kernel was asked to say so
        end_group()


def end_group() -> NoReturn:
    """End this process and every program that it started."""
    if _leads():
        with contextlib.suppress(OSError):  # in the sandbox, where there is no other in the group
            os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _leads() -> bool:
    """Return whether the process group is the worker's own."""
    return os.getpgrp() == os.getpid()


def _hung_up(pipe: int) -> bool:
    waiting = select.poll()
    waiting.register(pipe, 0)
    return any(event & select.POLLERR for _, event in waiting.poll(0))
