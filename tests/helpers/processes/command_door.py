"""The command without its start: a process that has imported everything runs each in a fork.

Python and the imports of a command take longer than most of what tests ask of it.  So they are paid
once: a `Door` starts one interpreter, which imports the command and all that plugs in, and calls
nothing but what every command computes alike.  Each command is a fork of it, with its own
arguments, folder, environment and streams, and ends as the installed one does (`command_forks.py`).
Its workers are forks as well (`worker_door.py`).
`test_installed_command.py` holds the two against each other.
"""

from __future__ import annotations

import array
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from worker_door import WorkerDoor

LARGEST = 1 << 20  # bytes of a request: arguments and environment
SERVER = Path(__file__).with_name("command_forks.py")
KEPT_FROM_PYTHON = ("PYTHON", "LD_")  # what is read of an environment when an interpreter starts


class Door:
    """One interpreter that has imported the command; each `run` is a fork of it."""

    def __init__(self, workers: WorkerDoor) -> None:
        """`workers` is what forks the workers of all commands."""
        self._lock, self._workers = threading.Lock(), workers
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._started_with = read_at_start(os.environ)
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(SERVER), str(theirs.fileno())],
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
    """The variables by which Python itself starts differently."""
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
