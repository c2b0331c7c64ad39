"""A piece that waits for a kill, so that tests know that work was running when they killed.

The first piece that runs writes a file next to what it reads, and then waits for ever.  Where that
folder names a node of Ray, it is the first piece on that node, and all others wait until it runs.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tokaudit.shards.work import Task, Work

REACHED, NODE = ".reached", ".node"
PAUSE = 0.01


def waiting(work: Work[Any, Any], module: str) -> Work[Any, Any]:
    """The same work, with a piece that waits; `module` holds it as `WORK`."""

    @contextmanager
    def opened(job: Any) -> Iterator[Callable[[Task], Any]]:
        with work.opened(job) as done:
            yield lambda task: _held(task) or done(task)

    return replace(work, module=module, opened=opened)


def reached(folder: Path) -> int:
    """Wait until a piece waits, and give its process."""
    while not (folder / REACHED).exists():
        time.sleep(PAUSE)
    return int((folder / REACHED).read_text())


def killed_at_the_last_piece(
    command: Sequence[str], folder: Path, kept: Path, *, pieces: int
) -> int:
    """The exit code of a command that is killed when all pieces but the one that waits are kept."""
    path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PYTHONPATH": path}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment) as process:
        while process.poll() is None and len(list(kept.glob("*.json"))) < pieces - 1:
            time.sleep(PAUSE)
        waits = reached(folder) if process.poll() is None else 0
        process.kill()
    if waits:
        os.kill(waits, signal.SIGKILL)
    return process.returncode


def _held(task: Task) -> None:
    folder = Path(task.path).parent
    if (folder / NODE).exists() and (folder / NODE).read_text() != _node():
        reached(folder)
    elif _is_first(folder):
        while True:
            time.sleep(PAUSE)


def _is_first(folder: Path) -> bool:
    own = folder / f".{os.getpid()}"
    own.write_text(str(os.getpid()))
    try:
        (folder / REACHED).hardlink_to(own)  # whole at once, and once
    except FileExistsError:
        return False
    return True


def _node() -> str:
    import ray

    return str(ray.get_runtime_context().get_node_id())
