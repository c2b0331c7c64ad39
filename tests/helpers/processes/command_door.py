"""The command without its start: a process that has imported everything runs each in a fork.

Python and the imports of a command take longer than most of what tests ask of it.  So they are paid
once: a `Door` starts one interpreter, which imports the command and all that plugs in, and calls
nothing but what every command computes alike.  Each command is a fork of it, with its own
arguments, folder, environment and streams, and ends as the installed one does.  Its workers are
forks as well (`worker_door.py`).
`test_installed_command.py` holds the two against each other.
"""

from __future__ import annotations

import array
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from worker_door import WorkerDoor

LARGEST = 1 << 20  # bytes of a request: arguments and environment
OF_TESTS = "tokaudit.testing."
OF_OTHERS = ("pytest", "rich.console", "rich.progress", "rich.table")
KEPT_FROM_PYTHON = ("PYTHON", "LD_")  # what is read of an environment when an interpreter starts


class Door:
    """One interpreter that has imported the command; each `run` is a fork of it."""

    def __init__(self, workers: WorkerDoor) -> None:
        """`workers` is what forks the workers of all commands."""
        self._lock, self._workers = threading.Lock(), workers
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._started_with = read_at_start(os.environ)
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        theirs.close()

    def close(self) -> None:
        """End the interpreter."""
        self._ours.close()
        self._process.communicate()

    def fits(self) -> bool:
        """Whether a command that starts now would find the interpreter as this one is."""
        return read_at_start(os.environ) == self._started_with

    def run(
        self,
        arguments: list[str],
        timeout: float,
        environment: dict[str, str],
        folder: Path | None = None,
        program: str = "tokaudit",
        hook: str = "",
    ) -> subprocess.CompletedProcess[str]:
        """What `subprocess.run` returns for the installed command, or pytest, run in a folder.

        `hook` is Python that runs first, as `sitecustomize` would.
        """
        streams = [os.pipe() for _ in range(2)]
        channel, begun_with = self._workers.channel()
        request = {
            "program": program,
            "arguments": arguments,
            "environment": environment,
            "folder": str(folder or Path.cwd()),
            "workers_begun_with": begun_with,
            "hook": hook,
        }
        with self._lock:
            given = [*(into for _, into in streams), channel.detach()]
            send_files(self._ours, json.dumps(request).encode(), given)
            for file in given:
                os.close(file)
            pid = int(self._ours.recv(LARGEST))
            try:
                out, err = _read(pid, [source for source, _ in streams], timeout)
            finally:  # also of a command that took too long, for the next one
                code = int(self._ours.recv(LARGEST))
        return subprocess.CompletedProcess([program, *arguments], code, out, err)


def read_at_start(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables by which Python itself starts in another way."""
    return {n: value for n, value in environment.items() if n.startswith(KEPT_FROM_PYTHON)}


def _read(pid: int, sources: list[int], timeout: float) -> tuple[str, str]:
    """All that two streams give until both are closed; a command that takes too long is killed."""
    found, end = {source: bytearray() for source in sources}, time.monotonic() + timeout
    while open_ones := [source for source in sources if source >= 0 and source in found]:
        ready, _, _ = select.select(open_ones, [], [], max(0.0, end - time.monotonic()))
        if not ready:
            os.kill(pid, signal.SIGKILL)
            raise subprocess.TimeoutExpired("tokaudit", timeout)
        for source in ready:
            if data := os.read(source, LARGEST):
                found[source] += data
            else:
                os.close(source)
                sources = [other for other in sources if other != source]
    out, err = (bytes(data).decode().replace("\r\n", "\n") for data in found.values())
    return out, err


def send_files(channel: socket.socket, message: bytes, files: list[int]) -> None:
    """Send a message with open files, which the other end gets under numbers of its own."""
    rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))
    channel.sendmsg([message], [rights])


def serve(channel: socket.socket) -> Callable[[], int]:
    """Answer requests until the other end is closed; returns, in each fork, what it is to run."""
    while True:
        message, files, _, _ = socket.recv_fds(channel, LARGEST, 3)
        if not message:
            return lambda: 0
        pid = os.fork()
        if not pid:
            channel.close()
            return _as_asked(json.loads(message), files)
        for file in files:
            os.close(file)
        channel.send(str(pid).encode())
        _, status = os.waitpid(pid, 0)
        channel.send(str(os.waitstatus_to_exitcode(status)).encode())


def _as_asked(request: dict[str, Any], files: list[int]) -> Callable[[], int]:
    """Become the process of one command: its streams, folder, environment and arguments."""
    import pytest
    from worker_door import WorkerDoor

    from tokaudit.__main__ import main
    from tokaudit.runtimes.worker import process

    *streams, workers = files
    for place, file in enumerate(streams, start=1):
        os.dup2(file, place)
        os.close(file)
    channel = socket.socket(fileno=workers)
    door = WorkerDoor.of_this_process(channel, request["workers_begun_with"])
    process.started = door.started
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = [request["program"], *request["arguments"]]
    exec(request["hook"], {})  # noqa: S102 - of a test
    return main if request["program"] == "tokaudit" else pytest.main


def end_at_once(code: int) -> NoReturn:
    """End without taking everything apart that was imported, of which a fork would copy each page."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def import_all() -> None:
    """Import all of ours and what plugs in, and remember what all commands work out alike."""
    import importlib
    import pkgutil

    from tokaudit.foundation.entry_points import entry_points

    homes = ("tokaudit_reference", "tokaudit", *(point.package for point in entry_points()))
    for home in dict.fromkeys(homes):
        package = importlib.import_module(home)
        for module in pkgutil.walk_packages(package.__path__, f"{home}."):
            if not module.name.endswith(".__main__") and not module.name.startswith(OF_TESTS):
                importlib.import_module(module.name)
    for module in OF_OTHERS:
        importlib.import_module(module)
    remember_what_is_alike()


def remember_what_is_alike() -> None:
    """Ask for what each command works out once, and no argument, file or folder changes."""
    from tokaudit.comparison.patterns.canonical import acceptor
    from tokaudit.comparison.patterns.splits import BYTE_LEVEL
    from tokaudit.comparison.texts.probes import rows_of_scalars
    from tokaudit.engine.check import all_checks
    from tokaudit.engine.resolver import all_needs, parameters
    from tokaudit.report.writer import all_writers
    from tokaudit.runtimes.registry import all_adapters
    from tokaudit.subject.formats import all_formats
    from tokaudit_reports.html import page_environment

    all_adapters(), all_formats(), all_writers()
    for function in (
        *(each.function for each in all_checks()),
        *(need.build for need in all_needs()),
    ):
        parameters(function)
    rows_of_scalars()
    acceptor((BYTE_LEVEL,))  # of most tokenizers of tests
    for template in page_environment().list_templates(["j2"]):
        page_environment().get_template(template)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    import worker_door  # noqa: F401

    sys.path.pop(0)
    import_all()
    gc.freeze()  # no fork is to copy what it never changes
    end_at_once(serve(socket.socket(fileno=int(sys.argv[1])))())
