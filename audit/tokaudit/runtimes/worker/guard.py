"""Isolate a process from its workers, and end their orphans.

No other process of the user may look into it, its environment and memory included, and it adopts
what a worker's children leave behind, to end that too.  Afterwards it is as it was before: an audit
may be a part of somebody's program.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path

from tokaudit.foundation import leftovers
from tokaudit.runtimes.worker.confinement import capabilities
from tokaudit.runtimes.worker.resources.usage import children

MARK = "TOKAUDIT_WORKER"  # a name of the environment, which children inherit
MOST_ROUNDS = 64  # each adopts the children of those that were ended in the one before


@dataclass
class _Guard:
    """The number of workers, and this process's settings without them."""

    workers: int = 0
    dumpable: int = 1
    subreaper: bool = False
    lock: threading.RLock = field(default_factory=threading.RLock)


_guard = _Guard()


def enter() -> str:
    """Count a new worker, and return the mark for its environment."""
    mark = f"{os.getpid()}-{secrets.token_hex(8)}"
    if sys.platform != "linux":
        return mark
    with _guard.lock:
        _guard.workers += 1
        if _guard.workers == 1:
            leftovers.add_task(end_orphans)
            with contextlib.suppress(OSError):  # a second line, which a container may forbid
                _guard.dumpable = capabilities.dumpable()
                _guard.subreaper = capabilities.adopts()
                capabilities.hide()
                capabilities.adopt(True)
    return mark


def leave(mark: str) -> None:
    """End whatever a finished worker left behind."""
    if sys.platform != "linux":
        return
    with _guard.lock:
        end_orphans(mark)
        _guard.workers -= 1
        if _guard.workers == 0:
            with contextlib.suppress(OSError):
                capabilities.adopt(_guard.subreaper)
                if _guard.dumpable == 1:
                    capabilities.show()


def end_orphans(mark: str = "") -> None:
    """Kill every adopted process with the mark of a worker, or with any mark."""
    mark = mark or f"{os.getpid()}-"
    for _ in range(MOST_ROUNDS):
        found = [pid for pid in children(os.getpid()) if _bears(pid, mark)]
        if not found:
            return
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)


def _bears(pid: int, mark: str) -> bool:
    try:
        variables = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        return any(each.startswith(f"{MARK}={mark}".encode()) for each in variables)
    except OSError:  # it has ended, or belongs to another user
        return False
