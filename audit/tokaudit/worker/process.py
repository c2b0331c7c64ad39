"""Starts a worker process, talks to it with a deadline, and ends it whatever state it is in."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any

from tokaudit.worker.frames import FrameError, receive, send

MEMORY = 4 * 1024**3
TAIL = 4096  # bytes of what a worker printed that are quoted
QUIET = {
    "RAYON_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "HF_HUB_OFFLINE": "1",
    "PYTHONFAULTHANDLER": "0",
}


class WorkerDied(Exception):
    """The process ended or ran out of its time; says how, with the last it printed."""

    def __init__(self, how: str, printed: str) -> None:
        self.how, self.printed = how, printed
        last = printed.strip().splitlines()[-1:] if printed.strip() else []
        super().__init__(": ".join([how, *last]))


class WorkerProcess:
    """One process, its two pipes and what it printed."""

    def __init__(self, memory: int = MEMORY) -> None:
        worker_in, self._to = os.pipe()
        self._from, worker_out = os.pipe()
        self._printed = tempfile.TemporaryFile()  # noqa: SIM115
        command = [sys.executable, "-m", "tokaudit.worker"]
        try:
            self._process = subprocess.Popen(
                [*command, str(worker_in), str(worker_out), str(memory)],
                stdin=subprocess.DEVNULL,
                stdout=self._printed,
                stderr=subprocess.STDOUT,
                pass_fds=(worker_in, worker_out),
                env={**os.environ, **QUIET},
                start_new_session=True,
            )
        finally:
            os.close(worker_in)
            os.close(worker_out)

    def ask(self, message: dict[str, Any], timeout: float) -> dict[str, Any]:
        """The worker's answer; raises `WorkerDied` when there is none in time."""
        try:
            send(self._to, message)
            answer: dict[str, Any] = receive(self._from, time.monotonic() + timeout)
        except (FrameError, OSError, ValueError) as error:
            raise WorkerDied(self._how(error, timeout), self.printed()) from error
        return answer

    def _how(self, error: Exception, timeout: float) -> str:
        if str(error) == "timed out":
            return f"no answer within {timeout:g} s"
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        code = self._process.returncode
        if code is None:
            return f"broke its pipe: {error}"
        if code < 0:
            return f"killed by {signal.Signals(-code).name}"
        return f"ended with exit code {code}"

    def printed(self) -> str:
        """The end of what the process printed."""
        size = self._printed.seek(0, os.SEEK_END)
        self._printed.seek(max(0, size - TAIL))
        return self._printed.read().decode("utf-8", "replace")

    def close(self) -> None:
        """End the process and its children, and release the pipes."""
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for descriptor in (self._to, self._from):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        self._printed.close()
