"""Registry of what must not outlive the process: temporary files and workers.

A signal may end the process between any two steps, and then no `finally` is reached.  So what is
made is listed here before it is made, and the one function that clears up needs nothing else.

A process that is killed clears nothing.  So the names of temporary files and folders tell whose
they are, and who works in the same place next removes those whose owner is dead.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from zlib import crc32

from tokaudit.foundation.removal import Steps, remove_tree

PREFIX = ".tokaudit-"
OURS = re.compile(r"\.?tokaudit-(?:[a-z]+-)?([0-9a-f]{8})-(\d+)\.(\d+)-[0-9a-z_]+")
MOST_ENTRIES = 100_000  # of a folder that are looked at for what dead processes left
STARTED = 19  # the place of the start among the fields after the name, in /proc/PID/stat

_paths: set[Path] = set()
_groups: set[int] = set()
_tasks: dict[Callable[[], None], None] = {}  # in their order


@contextlib.contextmanager
def temporary(path: Path) -> Iterator[Path]:
    """Register a file or folder that is removed at the end, unless renamed by then."""
    add_path(path)
    try:
        yield path
    finally:
        remove_path(path)


def temporary_folder() -> str:
    """Return the folder for temporary files, or a path with nothing in it."""
    try:
        return tempfile.gettempdir()
    except OSError:
        return os.devnull


def owned(prefix: str = PREFIX) -> str:
    """Return the prefix of a temporary name, which identifies its process.

    It is short, because it may be next to a file that has the longest name there can be.
    """
    process = os.getpid()
    return f"{prefix}{_machine()}-{process}.{_started(process)}-"


def clear_dead(folder: Path) -> None:
    """Remove from a folder the temporary files of this user's dead processes.

    Those of another machine, or of another container, are left alone: nobody here knows of them.
    """
    started = cache(_started)  # a process may have many of them
    steps = Steps()  # for all together
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in islice(entries, MOST_ENTRIES):
            found = OURS.fullmatch(entry.name)
            mine = found and found[1] == _machine() and _is_of_this_user(entry)
            if found and mine and started(int(found[2])) != found[3]:
                _remove(Path(entry.path), steps)


def is_ours(name: str) -> bool:
    """Return whether a name is one of our temporary files, which belong to no subject.

    >>> is_ours("tokaudit-worker-0a1b2c3d-17.4711-abc_1"), is_ours("tokaudit-notes")
    (True, False)
    """
    return OURS.fullmatch(name) is not None


def _is_of_this_user(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.stat(follow_symlinks=False).st_uid == os.geteuid()
    except OSError:  # another process removes it too
        return False


def _machine() -> str:
    return _machine_of(os.getpid())


@cache
def _machine_of(process: int) -> str:
    """Return a number for this boot and container; zero if unknown.

    It is kept for one process: a fork may be in another container.
    """
    try:
        start = Path("/proc/sys/kernel/random/boot_id").read_bytes()
        processes = Path("/proc/self/ns/pid").stat().st_ino
    except OSError:
        return f"{0:08x}"
    return f"{crc32(start + str(processes).encode()):08x}"


def _started(process: int) -> str:
    """Return the start time of a process by the kernel's clock; empty if there is none."""
    try:
        stat = Path(f"/proc/{process}/stat").read_bytes()
    except OSError:
        return ""
    return stat.rpartition(b")")[2].split()[STARTED].decode()


def add_path(path: Path) -> None:
    """Register a temporary file or folder to remove."""
    _paths.add(path)


def remove_path(path: Path) -> None:
    """Remove a file or folder, and unregister it if it is gone."""
    _remove(path)
    if not os.path.lexists(path):
        _paths.discard(path)


def add_group(leader: int) -> None:
    """Register a process group by its leader, to kill at the end."""
    _groups.add(leader)


def kill_group(leader: int) -> None:
    """Kill a process group before its leader is waited for, and unregister it.

    After the wait its number may be that of a stranger.
    """
    with contextlib.suppress(OSError):
        os.killpg(leader, signal.SIGKILL)
    _groups.discard(leader)


def add_task(task: Callable[[], None]) -> None:
    """Register a task for after the process groups were killed; duplicates are ignored."""
    _tasks[task] = None


def clear() -> None:
    """Kill every worker and pool process, and remove every temporary file."""
    for leader in tuple(_groups):
        kill_group(leader)
    for task in tuple(_tasks):
        task()
    if "multiprocessing" in sys.modules:  # a training counts words in a pool
        from multiprocessing import active_children

        for child in active_children():
            child.kill()
    for path in tuple(_paths):
        _remove(path)


def _remove(path: Path, steps: Steps | None = None) -> None:
    """Remove a file or folder; try a second time if the system refused.

    Nothing that lies there can end an audit: what cannot be removed stays for the next.
    """
    for _ in range(2):
        with contextlib.suppress(Exception):
            remove_tree(os.fspath(path), steps)
            return
