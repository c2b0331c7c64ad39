"""Starts a worker process: its command, its folder, and what it sees of the environment."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache

from tokaudit.runtimes.worker.guard import MARK
from tokaudit.runtimes.worker.surroundings import allowed

QUIET = {
    "RAYON_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "HF_HUB_OFFLINE": "1",
    "RUST_BACKTRACE": "0",
}
DROPPED = ("http_proxy", "https_proxy", "all_proxy", "ftp_proxy", "pythonfaulthandler")
COMMAND = (sys.executable, "-I" if sys.flags.isolated else "-P", "-m", "tokaudit.runtimes.worker")
"""`-P`, because a folder under audit may be the current one and must not be imported from."""


@dataclass(frozen=True)
class Start:
    """Where a process starts, what it sees of the environment, and its arguments about that."""

    folder: str | None
    environment: Mapping[str, str]
    arguments: tuple[str, ...] = ()


def as_the_user() -> Start:
    """In the user's folder and environment, but for what changes how libraries answer."""
    kept = {name: value for name, value in os.environ.items() if name.lower() not in DROPPED}
    return Start(None, kept)


def in_a_sandbox(folder: str | None) -> Start:
    """In its own folder, or in the root where it could not have one."""
    start = folder or os.sep
    return Start(start, allowed(os.environ, start), (folder or "",))


@cache
def _lasting_thread(owner: int) -> ThreadPoolExecutor:
    """The thread that starts all workers: the kernel kills them when it ends, with the process."""
    return ThreadPoolExecutor(1, thread_name_prefix="tokaudit-start")


def started(
    pipes: tuple[int, int], memory: int, start: Start, mark: str
) -> subprocess.Popen[bytes]:
    """A new worker process, in a session of its own."""
    future = _lasting_thread(os.getpid()).submit(_started, pipes, memory, start, mark)
    try:
        return future.result()
    except BaseException:  # an interruption leaves none behind, and keeps the pipes until then
        if future.exception() is None:
            future.result().kill()
        raise


def _started(
    pipes: tuple[int, int], memory: int, start: Start, mark: str
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*COMMAND, *map(str, (*pipes, memory)), *start.arguments],
        cwd=start.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=pipes,
        env={**start.environment, **QUIET, MARK: mark},
        start_new_session=True,
    )
