"""What must not outlive the process: its temporary files and its workers.

A signal may end the process between any two steps, and then no `finally` is reached.  So what is
made is listed here before it is made, and the one function that clears up needs nothing else.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

_paths: set[Path] = set()
_groups: set[int] = set()
_tasks: dict[Callable[[], None], None] = {}  # in their order


@contextlib.contextmanager
def temporary(path: Path) -> Iterator[Path]:
    """A file or folder that goes at the end, unless it was renamed by then."""
    add_path(path)
    try:
        yield path
    finally:
        remove_path(path)


def add_path(path: Path) -> None:
    """List a temporary file or folder as one to remove."""
    _paths.add(path)


def remove_path(path: Path) -> None:
    """Remove a file or folder, and list it no longer."""
    _remove(path)
    _paths.discard(path)


def add_group(leader: int) -> None:
    """List a process group, named by its leader, as one to kill."""
    _groups.add(leader)


def kill_group(leader: int) -> None:
    """Kill a process group before its leader is waited for, and list it no longer.

    After the wait its number may be that of a stranger.
    """
    with contextlib.suppress(OSError):
        os.killpg(leader, signal.SIGKILL)
    _groups.discard(leader)


def add_task(task: Callable[[], None]) -> None:
    """List what is to be done after the process groups were killed; a second time it is there."""
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


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()
