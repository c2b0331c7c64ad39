"""Start a worker process: its command, its folder, and its environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from tokaudit.runtimes.worker.files.channel import VARIABLE
from tokaudit.runtimes.worker.guard import MARK
from tokaudit.runtimes.worker.starting.environment import allowed

QUIET = {
    "OPENBLAS_NUM_THREADS": "1",
    "RAYON_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "HF_HUB_OFFLINE": "1",
    "RUST_BACKTRACE": "0",
}
DROPPED = ("http_proxy", "https_proxy", "all_proxy", "ftp_proxy", "pythonfaulthandler")
COMMAND = (sys.executable, "-I" if sys.flags.isolated else "-P", "-m", "tokaudit.runtimes.worker")
"""`-P`, because a folder under audit may be the current one and must not be imported from."""
GLANCE = 0.1  # seconds
ELSEWHERE = Path(__file__).with_name("elsewhere.py")
OURS = ("tokaudit", "tokaudit_reference", "msgspec", "regex")


@dataclass(frozen=True)
class Start:
    """The folder, environment and arguments of a process."""

    folder: str | None
    environment: Mapping[str, str]
    arguments: tuple[str, ...] = ()
    interpreter: str = ""

    @property
    def command(self) -> tuple[str, ...]:
        """Return the command: this interpreter, or another with folders to import from."""
        if not self.interpreter:
            return COMMAND
        return self.interpreter, "-P", str(ELSEWHERE), json.dumps(_homes())


def _homes() -> dict[str, str]:
    """Return the folder that each needed package can be imported from."""
    found = {name: find_spec(name) for name in OURS}
    return {
        name: str(Path(spec.origin).parent.parent)
        for name, spec in found.items()
        if spec is not None and spec.origin is not None
    }


def as_the_user(interpreter: str = "") -> Start:
    """Return the user's folder and environment, without variables that change answers."""
    kept = {name: value for name, value in os.environ.items() if name.lower() not in DROPPED}
    return Start(None, kept, interpreter=interpreter)


def in_a_sandbox(folder: str | None, interpreter: str = "") -> Start:
    """Return its own folder, or the root without one."""
    start = folder or os.sep
    return Start(start, allowed(os.environ, start), (folder or "",), interpreter)


@cache
def _lasting_thread(owner: int) -> ThreadPoolExecutor:
    """Return the thread that starts all workers: the kernel kills them when it ends."""
    return ThreadPoolExecutor(1, thread_name_prefix="tokaudit-start")


def started(
    pipes: tuple[int, ...], memory: int, start: Start, mark: str
) -> subprocess.Popen[bytes]:
    """Start a worker process in its own session."""
    future = _lasting_thread(os.getpid()).submit(_started, pipes, memory, start, mark)
    try:
        while not wait((future,), GLANCE).done:
            pass  # a signal that arrives just before a wait is seen only after it
        return future.result()
    except BaseException:  # an interruption leaves none behind, and keeps the pipes until then
        if future.exception() is None:
            future.result().kill()
        raise


def of_files(pipes: tuple[int, ...]) -> dict[str, str]:
    """Return the variable with the descriptor for handed files, if there is one."""
    return {VARIABLE: str(pipes[2])} if len(pipes) > 2 else {}


def _started(
    pipes: tuple[int, ...], memory: int, start: Start, mark: str
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*start.command, *map(str, (*pipes[:2], memory)), *start.arguments],
        cwd=start.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=pipes,
        env={**start.environment, **QUIET, MARK: mark, **of_files(pipes)},
        start_new_session=True,
    )
