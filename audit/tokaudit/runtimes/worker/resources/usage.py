"""What processes use at this moment, as Linux tells it in `/proc`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MOST_FILES = 10_000  # of a folder that are counted
THREADS, TIMES, RESIDENT = 17, slice(11, 13), 21  # places in `stat` after the name
ZOMBIE = "Z"


@dataclass(frozen=True)
class Usage:
    """Bytes of memory, threads, and seconds of processor time."""

    memory: int = 0
    threads: int = 0
    processor: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.memory + other.memory,
            self.threads + other.threads,
            self.processor + other.processor,
        )


def usage(pid: int) -> Usage | None:
    """What one process uses; None where it has ended, or the system does not tell.

    >>> import os, sys
    >>> sys.platform != "linux" or usage(os.getpid()).threads >= 1
    True
    """
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return None
    if fields[0] == ZOMBIE.encode():
        return None
    ticks = sum(map(int, fields[TIMES])) / os.sysconf("SC_CLK_TCK")
    memory = int(fields[RESIDENT]) * os.sysconf("SC_PAGE_SIZE")
    return Usage(memory, int(fields[THREADS]), ticks)


def children(pid: int) -> list[int]:
    """The processes that a process has started or adopted, and not waited for."""
    found: list[int] = []
    try:
        for thread in Path(f"/proc/{pid}/task").iterdir():
            listed = (thread / "children").read_bytes()
            found += map(int, listed.split())
    except OSError:  # it ends, or the kernel tells no children
        pass
    return found


def family(pid: int) -> Iterator[int]:
    """A process and all that descend from it."""
    yield pid
    for child in children(pid):
        yield from family(child)


def size_of(folder: str) -> int:
    """The bytes of all files in a folder; those of a folder with very many count as endless."""
    total, count, waiting = 0, 0, [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    count += 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        total += entry.stat(follow_symlinks=False).st_size
        except OSError:  # removed meanwhile
            continue
        if count > MOST_FILES:
            return 1 << 62
    return total
