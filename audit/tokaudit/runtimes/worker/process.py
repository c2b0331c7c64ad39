"""Starts a worker process, talks to it with a deadline, and ends it whatever state it is in."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from msgspec import UNSET

from tokaudit.foundation import leftovers
from tokaudit.foundation.deadline import Deadline
from tokaudit.foundation.errors import OutOfTime
from tokaudit.runtimes.worker.allowance import QUESTION_PROCESSOR
from tokaudit.runtimes.worker.answers import Answer, Shape, clean
from tokaudit.runtimes.worker.frames import (
    FrameError,
    Late,
    Misfit,
    TooLarge,
    receive,
    send,
    waits,
)
from tokaudit.runtimes.worker.surroundings import allowed, own_folder, remove
from tokaudit.runtimes.worker.tail import KEPT, Tail

_Result = TypeVar("_Result")
MEMORY = 1_500_000_000  # bytes; the libraries need 0.7e9 for the largest published tokenizer
MEMORY_OF_PROGRAMS = 4 * 1024**3  # of what the user named, which may import anything
CLOCK_OF_A_PROCESS = 2  # of Linux: as its threads were scheduled
CPU_SIGNALS = ("SIGPROF", "SIGXCPU")
QUOTED_LINES = 3  # of what a worker printed, in the message of its death
QUIET = {
    "RAYON_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "HF_HUB_OFFLINE": "1",
    "RUST_BACKTRACE": "0",
}
DROPPED = ("http_proxy", "https_proxy", "all_proxy", "ftp_proxy", "pythonfaulthandler")
COMMAND = (sys.executable, "-I" if sys.flags.isolated else "-P", "-m", "tokaudit.runtimes.worker")
"""`-P`, because a folder under audit may be the current one and must not be imported from."""


class WorkerDied(Exception):
    """The process ended or ran out of its time; says how, with the last it printed."""

    def __init__(self, how: str, printed: str, signal: str = "", *, late: bool = False) -> None:
        self.how, self.printed, self.signal, self.late = how, printed, signal, late
        super().__init__(": ".join([how, *_last_words(printed)]))


class WorkerProcess:
    """One process, its two pipes and the end of what it printed.

    It is sandboxed unless it runs what the user named: that may need the user's folder and
    environment.
    """

    def __init__(
        self, memory: int = MEMORY, deadline: Deadline | None = None, *, sandboxed: bool = True
    ) -> None:
        self._deadline, self._asked = deadline or Deadline(), 0
        folder = own_folder() if sandboxed else None
        worker_in, self._to = os.pipe()
        self._from, worker_out = os.pipe()
        os.set_blocking(self._to, False)
        try:
            start = _in_a_sandbox(folder) if sandboxed else _as_the_user()
            self._process = (
                _lasting_thread(os.getpid())
                .submit(_started, (worker_in, worker_out), memory, start)
                .result()
            )
        except BaseException:
            remove(folder)
            _close((self._to, self._from))
            raise
        finally:
            _close((worker_in, worker_out))
        assert self._process.stdout and self._process.stderr
        self._out, self._err = (
            Tail(os.dup(stream.fileno())) for stream in (self._process.stdout, self._process.stderr)
        )
        self._process.stdout.close()
        self._process.stderr.close()
        leftovers.add_group(self._process.pid)
        pipes = (self._to, self._from)
        self._end = weakref.finalize(self, _end, self._process, pipes, os.getpid(), folder)

    def ask(
        self,
        message: Mapping[str, Any],
        shape: Shape[_Result],
        timeout: float,
        processor: float = QUESTION_PROCESSOR,
    ) -> Answer[_Result]:
        """The worker's answer; raises `WorkerDied`, and ends it, when there is none in time.

        So it does where the answer is not of that shape: whoever breaks it may do anything next.
        `processor` is the processor time that the answer may take.  Where the time of the whole
        audit is up, it raises `OutOfTime`.  A worker that was late once must not be asked again:
        its late answer would be taken for that of the next question.
        """
        within = min(timeout, self._deadline.left)
        try:
            self._deadline.refuse()
            return self._exchange(message, shape, within, processor)
        except OutOfTime:
            self.close()
            raise
        except (FrameError, OSError) as error:
            died = self._obituary(error, timeout, processor)
            self.close()
            if died.late:
                self._deadline.refuse()
            raise died from error

    def _exchange(
        self, message: Mapping[str, Any], shape: Shape[_Result], within: float, processor: float
    ) -> Answer[_Result]:
        """Send a question and take the answer to it, which is believed as far as it can be seen."""
        if waits(self._from):
            raise Misfit("it spoke before it was asked")
        started, self._asked = time.monotonic(), self._asked + 1
        deadline = started + within
        given = {**message, "number": self._asked, "within": within, "processor": processor}
        send(self._to, given, deadline)
        answer: Answer[_Result] = receive(self._from, deadline, shape.answer, shape.largest)
        result = answer.result
        if answer.number != self._asked or (answer.error is UNSET) is (result is UNSET):
            raise Misfit("an answer to another question, or without one")
        if result is not UNSET and not shape.fits(result):
            raise Misfit("an answer that does not fit its question")
        answer.seconds = min(answer.seconds, time.monotonic() - started)
        answer.processor = processor_time(self._process.pid, answer.processor)
        return answer

    def _obituary(self, error: Exception, timeout: float, processor: float) -> WorkerDied:
        if isinstance(error, Late):
            return WorkerDied(f"no answer within {timeout:g} s", self.printed(), late=True)
        if isinstance(error, Misfit | TooLarge):
            return WorkerDied(f"broke the protocol: {clean(str(error), 300)}", self.printed())
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        code = self._process.returncode
        if code is None:
            return WorkerDied(f"broke its pipe: {error}", self.printed())
        printed = self.printed(wait=1)
        if code < 0:
            name = signal.Signals(-code).name
            if name in CPU_SIGNALS:
                how = f"no answer within {processor:g} s of processor time"
                return WorkerDied(how, printed, name, late=True)
            return WorkerDied(f"killed by {name}", printed, name)
        return WorkerDied(f"ended with exit code {code}", printed)

    def printed(self, wait: float = 0.0) -> str:
        """The end of what the process wrote to stderr, else to stdout."""
        return clean(self._err.text(wait) or self._out.text(wait), KEPT)

    def close(self) -> None:
        """End the process and its children, and release the pipes; a second time does nothing."""
        self._end()


@dataclass(frozen=True)
class _Start:
    """Where a process starts, what it sees of the environment, and its arguments about that."""

    folder: str | None
    environment: Mapping[str, str]
    arguments: tuple[str, ...] = ()


def _as_the_user() -> _Start:
    """In the user's folder and environment, but for what changes how libraries answer."""
    kept = {name: value for name, value in os.environ.items() if name.lower() not in DROPPED}
    return _Start(None, kept)


def _in_a_sandbox(folder: str | None) -> _Start:
    """In its own folder, or in the root where it could not have one."""
    start = folder or os.sep
    return _Start(start, allowed(os.environ, start), (folder or "",))


@cache
def _lasting_thread(owner: int) -> ThreadPoolExecutor:
    """The thread that starts all workers: the kernel kills them when it ends, with the process."""
    return ThreadPoolExecutor(1, thread_name_prefix="tokaudit-start")


def _started(pipes: tuple[int, int], memory: int, start: _Start) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*COMMAND, *map(str, (*pipes, memory)), *start.arguments],
        cwd=start.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=pipes,
        env={**start.environment, **QUIET},
        start_new_session=True,
    )


def _end(
    process: subprocess.Popen[bytes], pipes: tuple[int, int], owner: int, folder: str | None
) -> None:
    """Kill the worker's process group; a fork of the owner only lets go of the pipes."""
    if os.getpid() == owner:
        leftovers.kill_group(process.pid)
        process.wait()
        remove(folder)
    _close(pipes)


def processor_time(pid: int, stated: float) -> float:
    """The processor time of a process by the kernel's clock, else what it states itself."""
    if sys.platform != "linux":
        return stated
    try:
        return time.clock_gettime((~pid << 3) | CLOCK_OF_A_PROCESS)
    except OSError:
        return stated


def _close(descriptors: tuple[int, int]) -> None:
    for descriptor in descriptors:
        with contextlib.suppress(OSError):
            os.close(descriptor)


def _last_words(printed: str) -> list[str]:
    """The end of what was printed, in one line, without the advice that Rust adds to a panic."""
    lines = [line.strip() for line in printed.splitlines()]
    telling = [line for line in lines if line and not line.startswith("note: ")]
    return [" | ".join(telling[-QUOTED_LINES:])[:500]] if telling else []
