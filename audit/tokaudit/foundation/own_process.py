"""Settings of Python, and of the kernel, for a process that is ours alone.

Only such processes call these: in a program that uses tokaudit, it is not ours to decide.
"""

import contextlib
import ctypes
import gc
import os
import resource
import signal
import sys

NEW_OBJECTS = 1_000_000  # Python's own 700 makes reading a vocabulary a third slower
TURN = 0.001  # seconds; Python's own are five times as many
MEMORY_OF_ALL = 1_500_000_000  # bytes, of an audit and its workers
MMAP_THRESHOLD = -3  # of `mallopt`, in `malloc.h` of glibc
LARGE = 256 * 1024  # bytes
STACKS = 16 * 8 * 1024 * 1024  # bytes that threads reserve for their stacks and hardly touch
SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG, in <linux/prctl.h>


class _Fence:
    """The data limit of this process before it set its own; None if it has not.

    Neither `dataclasses` nor `pathlib` is imported here: each loads for longer than `--help` takes.
    """

    before: tuple[int, int] | None = None
    ours = False


_fence = _Fence()


def own_memory() -> None:
    """Allow `bound_memory` to limit this process, which belongs to us alone."""
    _fence.ours = sys.platform == "linux"


def bound_memory(more: int) -> None:
    """Let the kernel refuse this process more than `more` bytes above its current use.

    It is the last fence, after the limits of what is read and the look at what is used: an
    allocation beyond it is a `MemoryError`.  Processes that it starts set limits of their own.
    """
    if not _fence.ours:
        return
    with contextlib.suppress(OSError, ValueError):
        limits = resource.getrlimit(resource.RLIMIT_DATA)
        _fence.before = _fence.before or limits
        wanted = _data() + more + STACKS
        soft, hard = _fence.before
        bounds = [each for each in (wanted, soft, hard) if each != resource.RLIM_INFINITY]
        resource.setrlimit(resource.RLIMIT_DATA, (min(bounds), hard))


def lift_bound() -> None:
    """Remove the limit: the end of Python needs memory of its own."""
    if _fence.before is not None:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_DATA, _fence.before)
        _fence.before = None


def _data() -> int:
    """Return the writable bytes of this process, as the kernel counts them for the limit."""
    with open("/proc/self/status", encoding="ascii", errors="replace") as file:  # noqa: PTH123
        status = file.read()
    line = next(line for line in status.splitlines() if line.startswith("VmData:"))
    return int(line.split()[1]) * 1024


def collect_seldom() -> None:
    """Collect garbage less often: a parsed vocabulary has no cycles, and is kept.

    130,000 entries and as many merges are less than a million objects.  Python would walk over all
    that there are so far again and again while they are read.
    """
    gc.set_threshold(NEW_OBJECTS, 50, 100)


def return_memory() -> None:
    """Let glibc return every large block to the system when it is freed.

    By itself it raises the size that counts as large to that of each block which is returned, up to
    32 MB, and keeps what is smaller: of a vocabulary that was read and dropped, some 100 MB.
    """
    with contextlib.suppress(OSError, AttributeError):  # another library has no such call
        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, LARGE)


def trim_memory() -> None:
    """Return glibc's freed memory to the system now.

    Of the small blocks in which a library has parsed a vocabulary it returns none by itself: two
    thirds of what a process holds that has loaded a file of 15 MB.
    """
    with contextlib.suppress(OSError, AttributeError):  # another library has no such call
        ctypes.CDLL(None).malloc_trim(0)


def take_short_turns() -> None:
    """Shorten the switch interval, so that a thread with a worker's answer continues soon.

    It needs Python several times for each answer, and waits a turn of the other thread each time;
    meanwhile the worker has nothing to do.
    """
    sys.setswitchinterval(TURN)


def die_with_parent() -> None:
    """Have this process killed when its parent thread ends; raise `OSError` on failure."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(SET_DEATH_SIGNAL, ctypes.c_ulong(signal.SIGKILL), 0, 0, 0) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
