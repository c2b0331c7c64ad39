"""Current usage of processes, as Linux shows it in `/proc`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

MOST_ENTRIES, DEEPEST = 2_000, 32  # of a folder that are counted; what has more is endless
ENDLESS = 1 << 62  # bytes
THREADS, TIMES, RESIDENT = 17, slice(11, 13), 21  # places in `stat` after the name
ZOMBIE, SLEEPS = "Z", ("S", "I")
IN_MEMORY = ("tmpfs", "ramfs")  # file systems


@dataclass(frozen=True)
class Usage:
    """Bytes of memory, threads, processor seconds, and whether it waits.

    `files` are the bytes of what it has written, which are not among those of its memory.
    """

    memory: int = 0
    threads: int = 0
    processor: float = 0.0
    waits: bool = True
    files: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.memory + other.memory,
            self.threads + other.threads,
            self.processor + other.processor,
            self.waits and other.waits,
            self.files + other.files,
        )


def usage(pid: int) -> Usage | None:
    """Return the usage of one process; None if it has ended or is unknown.

    >>> import os, sys
    >>> sys.platform != "linux" or usage(os.getpid()).threads >= 1
    True
    """
    try:
        with open(f"/proc/{pid}/stat", "rb", buffering=0) as stat:  # noqa: PTH123 -- looked at often
            fields = stat.read(1024).rpartition(b")")[2].split()
    except OSError:
        return None
    if fields[0] == ZOMBIE.encode():
        return None
    ticks = sum(map(int, fields[TIMES])) / os.sysconf("SC_CLK_TCK")
    memory = int(fields[RESIDENT]) * os.sysconf("SC_PAGE_SIZE")
    return Usage(memory, int(fields[THREADS]), ticks, fields[0].decode() in SLEEPS)


def computes(pid: int) -> bool:
    """Return whether a thread of a process computes, could, or waits for a disk.

    One that is stopped counts: that is somebody else's doing, and not the library's.
    """
    try:
        found = [
            (thread / "stat").read_bytes().rpartition(b")")[2].split()[0].decode()
            for thread in Path(f"/proc/{pid}/task").iterdir()
        ]
    except OSError:  # a thread has just ended, so there was work
        return True
    return not set(found) <= {*SLEEPS}


def children(pid: int) -> list[int]:
    """Return the children and adopted processes that were not waited for."""
    found: list[int] = []
    try:
        for thread in Path(f"/proc/{pid}/task").iterdir():
            listed = (thread / "children").read_bytes()
            found += map(int, listed.split())
    except OSError:  # it ends, or the kernel tells no children
        pass
    return found


def family(pid: int) -> Iterator[int]:
    """Yield a process and its descendants."""
    yield pid
    for child in children(pid):
        yield from family(child)


def size_of(folder: str) -> int:
    """Return the bytes of all files in a folder.

    Those of a folder with very many entries, of a deep one and of one that cannot be read count as
    endless, so that counting never costs more than making them.
    """
    try:
        return sum(_sizes(folder, None, DEEPEST, iter(range(MOST_ENTRIES))))
    except _Endless:
        return ENDLESS


class _Endless(Exception):
    """Raised if a folder is too large to measure."""


def _sizes(name: str, within: int | None, depth: int, left: Iterator[int]) -> Iterator[int]:
    """Yield the size of each entry, opened relative so that no link is followed."""
    if not depth:
        raise _Endless
    try:
        folder = os.open(name, os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=within)
    except PermissionError as error:
        raise _Endless from error
    except OSError:  # removed meanwhile, or this process has no descriptor more
        return
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if next(left, None) is None:
                    raise _Endless
                if entry.is_dir(follow_symlinks=False):
                    yield from _sizes(entry.name, folder, depth - 1, left)
                else:
                    yield entry.stat(follow_symlinks=False).st_size
    except FileNotFoundError:
        return
    finally:
        os.close(folder)


def is_in_memory(folder: str) -> bool:
    """Return whether a folder's files are in memory rather than on disk."""
    try:
        return _in_memory(os.stat(folder).st_dev)  # noqa: PTH116
    except OSError:
        return False


@cache
def _in_memory(device: int) -> bool:
    number = f"{os.major(device)}:{os.minor(device)}"
    try:
        mounts = [line.split() for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    except (OSError, ValueError):
        return False
    return any(
        fields[2] == number and fields[fields.index("-") + 1] in IN_MEMORY for fields in mounts
    )
