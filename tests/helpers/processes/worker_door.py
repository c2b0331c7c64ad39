"""Workers without the start of Python: a process that has imported the worker forks each of them.

Starting Python and importing the worker, the reference and the libraries takes most of what a
worker costs on a small tokenizer, and one comparison starts five.  Tests of what is judged take
them from here; the worker is the same from its first line on, sandbox and limits included.
Commands that run in a fork take them too.  Tests of `runtimes` and of installed commands start
workers as users do, and `test_worker_door.py` and `test_installed_command.py` hold the two against
each other.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from command_door import LARGEST, read_at_start, send_files
from worker_forks import ANOTHER

from tokaudit.runtimes.worker.environment import allowed
from tokaudit.runtimes.worker.guard import MARK
from tokaudit.runtimes.worker.starting import QUIET, Start

FORK = "tests.fork_of_worker"  # the event before each, as `subprocess.Popen` is before a start
SERVER = Path(__file__).with_name("worker_forks.py")


@dataclass
class Forked:
    """What is asked of a `Popen`, of a process that another one has started."""

    pid: int
    stdout: IO[bytes]
    stderr: IO[bytes]
    ended: int  # a pipe, which gives the exit code
    returncode: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, negative for a signal; raises `TimeoutExpired` as a `Popen` does."""
        if self.returncode is None:
            if not select.select([self.ended], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a worker", timeout or 0.0)
            self.returncode = int(os.read(self.ended, LARGEST) or -signal.SIGKILL)
            os.close(self.ended)
        return self.returncode

    def kill(self) -> None:
        """Kill it, unless it has ended."""
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)


class WorkerDoor:
    """Starts workers as `starting.started` does, by a fork where that is the same."""

    def __init__(self) -> None:
        self._lock, self._owner = threading.Lock(), 0
        self._process: subprocess.Popen[bytes] | None = None
        self._environment = allowed(os.environ, os.sep)  # before a test changes it for itself
        self.forked = 0  # how many have been

    @classmethod
    def of_this_process(cls, channel: socket.socket, begun_with: dict[str, str]) -> WorkerDoor:
        """The door of a process that was given a channel of another one's (`channel`)."""
        door = cls()
        door._ours, door._begun_with, door._owner = channel, begun_with, os.getpid()
        return door

    def channel(self) -> tuple[socket.socket, dict[str, str]]:
        """A channel for another process, and what Python read when that which forks started."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with self._lock, theirs:
            if not self._owner:
                self._open()
            send_files(self._ours, ANOTHER, [theirs.fileno()])
        return ours, self._begun_with

    def started(
        self, pipes: tuple[int, ...], memory: int, start: Start, mark: str
    ) -> Forked | subprocess.Popen[bytes]:
        """A new worker process, in a session of its own."""
        from tokaudit.runtimes.worker import starting

        sandboxed = bool(start.arguments) and not start.interpreter
        with self._lock:
            if not self._owner:
                self._open()
            here = self._owner == os.getpid()  # and no fork of the tests' process
            if not (here and sandboxed and read_at_start(start.environment) == self._begun_with):
                return starting.started(pipes, memory, start, mark)
            return self._fork(pipes, memory, start, mark)

    def _open(self) -> None:
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._begun_with = read_at_start(self._environment)
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(SERVER), str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env=self._environment,
        )
        theirs.close()
        self._owner = os.getpid()

    def close(self) -> None:
        """End the process that forks."""
        if self._owner:
            self._ours.close()
        if self._process:
            self._process.wait()

    def _fork(self, pipes: tuple[int, ...], memory: int, start: Start, mark: str) -> Forked:
        sys.audit(FORK, "worker")
        streams = [os.pipe() for _ in range(3)]
        request = {
            "arguments": [str(memory), *start.arguments],
            "environment": {**start.environment, **QUIET, MARK: mark},
            "folder": start.folder,
            "files": len(pipes) > 2,
        }
        given = [*pipes, *(into for _, into in streams)]
        send_files(self._ours, json.dumps(request).encode(), given)
        for _, into in streams:
            os.close(into)
        out, err, ended = (source for source, _ in streams)
        self.forked += 1
        return Forked(
            int(self._ours.recv(LARGEST)), os.fdopen(out, "rb"), os.fdopen(err, "rb"), ended
        )
