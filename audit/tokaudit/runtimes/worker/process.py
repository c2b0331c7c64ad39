"""Start a worker process, talk to it with a deadline, and end it in any state."""

from __future__ import annotations

import contextlib
import math
import os
import subprocess
import sys
import time
import weakref
from contextlib import ExitStack
from dataclasses import dataclass
from typing import IO, TypeVar

from msgspec import UNSET

from tokaudit.foundation import leftovers
from tokaudit.foundation.deadline import Deadline
from tokaudit.foundation.errors import EndedAtRest, OutOfMemory, OutOfTime, PipeRefused
from tokaudit.foundation.exhaustion import refused_by_system
from tokaudit.runtimes.worker import guard
from tokaudit.runtimes.worker.allowance import QUESTION_PROCESSOR
from tokaudit.runtimes.worker.answers import Answer, Shape, clean
from tokaudit.runtimes.worker.deaths import (
    CPU_SIGNALS,
    KEPT,
    Tail,
    WorkerDied,
    by_exit,
    by_signal,
    confined_by_others,
)
from tokaudit.runtimes.worker.files.server import FileServer
from tokaudit.runtimes.worker.frames import FrameError, Late, Misfit, TooLarge, receive, send, waits
from tokaudit.runtimes.worker.questions import AnyQuestion, Frame
from tokaudit.runtimes.worker.resources.budget import Budget, Member
from tokaudit.runtimes.worker.starting.environment import own_folder, remove
from tokaudit.runtimes.worker.starting.process_start import as_the_user, in_a_sandbox, started

_Result = TypeVar("_Result")
MEMORY = Budget().of_one  # bytes; the libraries need 0.7e9 for the largest published tokenizer
MEMORY_OF_PROGRAMS = 4 * 1024**3  # of what the user named, with all that it starts
CLOCK_OF_A_PROCESS = 2  # of Linux: as its threads were scheduled
LEAST_SHARE = 0.1  # of a wait, in which one that computes must have had a processor
ENDING = 5.0  # seconds that a process may take to end once its pipe is closed


class WorkerProcess:
    """One process, its two pipes and the end of its output.

    It is sandboxed unless it runs what the user named: that may need the user's folder and
    environment.
    """

    def __init__(
        self,
        memory: int = MEMORY,
        deadline: Deadline | None = None,
        *,
        sandboxed: bool = True,
        budget: Budget | None = None,
        interpreter: str = "",
        with_children: bool = False,
        files: FileServer | None = None,
    ) -> None:
        """Start the process with its limits, interpreter and file server.

        `interpreter` is another Python that the user named; "" is this one.  What it starts counts
        with it where it is `with_children`.  `files` hands it the bytes of files.
        """
        self._deadline, self._asked, self._sandboxed = deadline or Deadline(), 0, sandboxed
        self.confined = confined_by_others(memory)
        with ExitStack() as failed, ExitStack() as always:
            mark = guard.enter()
            failed.callback(guard.leave, mark)
            folder = own_folder() if sandboxed else None
            failed.callback(remove, folder)
            worker_in, self._to = _pipe(always, failed)
            self._from, worker_out = _pipe(failed, always)
            os.set_blocking(self._to, False)
            start = in_a_sandbox(folder, interpreter) if sandboxed else as_the_user(interpreter)
            pipes = (worker_in, worker_out, *([files.descriptor] if files else []))
            failed.callback(files.close if files else int)
            self._process = started(pipes, memory, start, mark)
            failed.callback(self._process.wait)
            failed.callback(leftovers.kill_group, self._process.pid)
            leftovers.add_group(self._process.pid)
            self._out, self._err = map(_tail, (self._process.stdout, self._process.stderr))
            self._budget = budget if budget is not None and sandboxed else Budget(memory)
            self._member = Member(
                self._process.pid, self._process.kill, folder, not sandboxed or with_children
            )
            self._budget.add(self._member)
            if files:
                files.begin()
            failed.pop_all()
        held = _Held(self._process, (self._to, self._from), folder, mark, os.getpid(), files)
        self._end = weakref.finalize(self, _end, held, self._budget, self._member)

    def can_be_replaced(self) -> None:
        """Allow ending it while it rests: another can be started in its place."""
        self._member.spare = True

    @property
    def pid(self) -> int:
        """Return the id of the process."""
        return self._process.pid

    def ask(
        self,
        question: AnyQuestion,
        shape: Shape[_Result],
        timeout: float,
        processor: float = QUESTION_PROCESSOR,
        asleep: float = math.inf,
    ) -> Answer[_Result]:
        """Return the worker's answer; on failure end it and raise `WorkerDied`.

        So it does where the answer is not of that shape: whoever breaks it may do anything next.
        `processor` is the processor time that the answer may take, `asleep` the time in which the
        worker may compute nothing.  Where the time of the whole
        audit is up, it raises `OutOfTime`; where the system refuses to write to the worker or to
        read from it, `PipeRefused`.  A worker that was late once must not be asked again: its late
        answer would be taken for that of the next question.
        """
        within = min(timeout, self._deadline.left)
        try:
            self._deadline.refuse()
            return self._exchange(question, shape, within, processor, asleep)
        except OutOfTime:
            self.close()
            raise
        except (FrameError, OSError) as error:
            if isinstance(error, OSError) and (refused := refused_by_system(error)):
                self.close()
                raise PipeRefused(f"the worker took no request: {refused}") from error
            died = self._obituary(error, timeout, processor)
            self.close()
            excess = self._member.excess
            if excess and excess.at_rest:
                raise EndedAtRest(excess.how) from error
            if excess and excess.others:
                raise OutOfMemory(excess.how) from error
            if died.late:
                self._deadline.refuse()
            raise died from error

    def _exchange(
        self,
        question: AnyQuestion,
        shape: Shape[_Result],
        within: float,
        processor: float,
        asleep: float,
    ) -> Answer[_Result]:
        """Send a question and validate the answer as far as possible."""
        if waits(self._from):
            raise Misfit("it wrote before the first request")
        started, self._asked = time.monotonic(), self._asked + 1
        deadline = started + within
        frame = Frame(self._asked, question, within, processor, shape.largest)
        self._member.allow(processor if self._sandboxed else math.inf, asleep)
        send(self._to, frame, deadline)
        answer: Answer[_Result] = receive(
            self._from, deadline, shape.answer, shape.largest, shape.most
        )
        self._member.rest()
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
            own = self._had_its_time(timeout, processor)
            how = f"no answer within {timeout:g} s"
            how += (
                "" if own else ", in which this machine was too busy to run it, or it was stopped"
            )
            return WorkerDied(how, self.printed(), late=True, own=own)
        if isinstance(error, Misfit | TooLarge):
            return WorkerDied(f"broke the protocol: {clean(str(error), 300)}", self.printed())
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(ENDING)
        if (excess := self._member.excess) and not excess.late:
            return WorkerDied(excess.how, self.printed(wait=1))
        code = self._process.returncode
        if code is None:
            return WorkerDied(f"broke its pipe: {error}", self.printed())
        printed = self.printed(wait=1)
        if code >= 0:
            return by_exit(code, printed, bool(self.confined))
        died = by_signal(-code, printed, bool(self.confined))
        if died.signal in CPU_SIGNALS or excess:
            how = f"no answer within {processor:g} s of processor time"
            if self._member.overslept:
                how = f"no answer within {self._member.may_sleep:g} s without computing"
            return WorkerDied(how, printed, died.signal, late=True)
        return died

    def _had_its_time(self, timeout: float, processor: float) -> bool:
        """Return whether a late process is itself to blame: it sleeps, or has computed.

        One that still wants to compute when it might have used all its processor time was kept from
        it, by other programs or by a signal that stops.
        """
        used = self._member.usage()
        if used is None or used.waits:
            return True
        return timeout < processor and self._member.computed(used) >= timeout * LEAST_SHARE

    def printed(self, wait: float = 0.0) -> str:
        """Return the end of what the process wrote to stderr, else to stdout."""
        return clean(self._err.text(wait) or self._out.text(wait), KEPT)

    def close(self) -> None:
        """End the process and its children, and release the pipes; repeating is harmless."""
        self._end()


@dataclass(frozen=True)
class _Held:
    """Resources of a worker's process, and their owner."""

    process: subprocess.Popen[bytes]
    pipes: tuple[int, int]
    folder: str | None
    mark: str
    owner: int
    files: FileServer | None


def _end(held: _Held, budget: Budget, member: Member) -> None:
    """Kill the worker's process group; a fork of the owner only closes the pipes."""
    if os.getpid() == held.owner:
        leftovers.kill_group(held.process.pid)
        budget.remove(member)
        held.process.wait()
        guard.leave(held.mark)
        remove(held.folder)
    if held.files is not None:
        held.files.close()
    _close(held.pipes)


def processor_time(pid: int, stated: float) -> float:
    """Return the processor time of a process by the kernel, else as it states."""
    if sys.platform != "linux":
        return stated
    try:
        return time.clock_gettime((~pid << 3) | CLOCK_OF_A_PROCESS)
    except OSError:
        return stated


def _pipe(reading: ExitStack, writing: ExitStack) -> tuple[int, int]:
    """Create a pipe whose ends are closed with their owners."""
    ends = os.pipe()
    reading.callback(os.close, ends[0])
    writing.callback(os.close, ends[1])
    return ends


def _tail(stream: IO[bytes] | None) -> Tail:
    assert stream is not None
    with stream:
        return Tail(os.dup(stream.fileno()))


def _close(descriptors: tuple[int, int]) -> None:
    for descriptor in descriptors:
        with contextlib.suppress(OSError):
            os.close(descriptor)
