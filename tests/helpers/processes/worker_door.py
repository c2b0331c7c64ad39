"""Workers without the start of Python: a process that has imported the worker forks each of them.

Starting Python and importing the worker, the reference and the libraries takes most of what a
worker costs on a small tokenizer, and one comparison starts five.  Tests of what is judged take
them from here; the worker is the same from its first line on, sandbox and limits included.
What the user names runs in one too, where its code lies in a folder that a fork can add to its path.
Commands that run in a fork take them as well.  Tests of installed commands start workers as users do, and `test_worker_door.py` and `test_installed_command.py` hold the two against
each other.
"""

from __future__ import annotations

import contextlib
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from command_door import LARGEST, read_at_start, send_files
from worker_forks import ANOTHER

from tokaudit.runtimes.worker.guard import MARK
from tokaudit.runtimes.worker.starting.environment import allowed
from tokaudit.runtimes.worker.starting.process_start import QUIET, Start

FORK = "tests.fork_of_worker"  # the event before each, as `subprocess.Popen` is before a start
PATH, AT_START = "PYTHONPATH", ("sitecustomize", "usercustomize")
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
            ended = select.poll()  # `select` takes no descriptor above 1,023
            ended.register(self.ended, select.POLLIN)
            if not ended.poll(None if timeout is None else timeout * 1000):
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
    """Starts workers as `process_start.started` does, by a fork where that is the same."""

    def __init__(self) -> None:
        self._lock, self._owner = threading.Lock(), 0
        self._process: subprocess.Popen[bytes] | None = None
        self._environment = allowed(os.environ, os.sep)  # before a test changes it for itself
        self._users = read_at_start(os.environ)
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
        from tokaudit.runtimes.worker.starting import process_start

        with self._lock:
            if not self._owner:
                self._open()
            here = self._owner == os.getpid()  # and no fork of the tests' process
            folders = added_folders(self._begun_with, self._read(start.environment))
            if not here or start.interpreter or folders is None:
                return process_start.started(pipes, memory, start, mark)
            return self._fork(pipes, memory, start, mark, folders)

    def _read(self, environment: Mapping[str, str]) -> dict[str, str]:
        """What Python reads of an environment, but for what no sandboxed worker of the user has."""
        users = self._users.items() - self._begun_with.items()
        return dict(read_at_start(environment).items() - users)

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

    def _fork(
        self, pipes: tuple[int, ...], memory: int, start: Start, mark: str, path: list[str]
    ) -> Forked:
        sys.audit(FORK, "worker")
        streams = [os.pipe() for _ in range(3)]
        request = {
            "arguments": [str(memory), *start.arguments],
            "environment": {**start.environment, **QUIET, MARK: mark},
            "folder": start.folder or str(Path.cwd()),
            "path": path,
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


def added_folders(begun_with: dict[str, str], wanted: dict[str, str]) -> list[str] | None:
    """The folders from which a fork can import more than what it begins with.

    None where it would not be as one that was started: Python read something else when it started,
    or a folder holds a module in the place of one that may be imported already.
    """
    named = wanted.get(PATH, "")
    if begun_with == wanted:
        return []
    if PATH in begun_with or begun_with != {n: v for n, v in wanted.items() if n != PATH}:
        return None
    folders = named.split(os.pathsep)
    return folders if all(map(_holds_only_new, folders)) else None


def _holds_only_new(folder: str) -> bool:
    """Whether nothing that an interpreter has without a folder has the name of a module there."""
    names = [module.name for module in pkgutil.iter_modules([folder])]
    found = [find_spec(name) for name in names]
    other = [spec for spec in found if spec and Path(spec.origin or "").parent != Path(folder)]
    return Path(folder).is_absolute() and not other and not {*names} & {*AT_START}
