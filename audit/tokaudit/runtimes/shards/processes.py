"""Runs tasks in processes of this machine; one that dies is tried once more, alone, then named."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from tokaudit.foundation import leftovers
from tokaudit.foundation.errors import TokauditError
from tokaudit.runtimes.shards.tally import Tally
from tokaudit.runtimes.shards.tasks import Job, Task, packed, tally_of

PROGRAM = (sys.executable, "-P", "-m", "tokaudit.runtimes.shards")


class TaskProcess:
    """One process that measures the tasks it is sent."""

    def __init__(self, job: Job) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            PROGRAM, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, start_new_session=True
        )
        leftovers.add_group(self._process.pid)
        self._send(packed(job))

    def measure(self, task: Task) -> Tally | None:
        """The tally of a task; None where the process died of it."""
        try:
            self._send(packed(task))
        except OSError:
            return None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        return tally_of(line) if line.endswith(b"\n") else None

    def _send(self, line: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + b"\n")
        self._process.stdin.flush()

    def close(self) -> None:
        """End the process, and what it has started."""
        leftovers.kill_group(self._process.pid)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:  # it died with something unread
                continue


def in_processes(job: Job, tasks: Sequence[Task], count: int) -> Iterator[tuple[Task, Tally]]:
    """The tally of each task, as it is ready."""
    local = threading.local()
    opened: list[TaskProcess] = []

    def run(task: Task) -> tuple[Task, Tally]:
        if getattr(local, "process", None) is None:
            local.process = TaskProcess(job)
            opened.append(local.process)
        found = local.process.measure(task)
        if found is None:
            local.process.close()
            local.process = None
            found = alone(job, task)
        return task, found

    with ThreadPoolExecutor(count) as threads:
        try:
            for future in as_completed([threads.submit(run, task) for task in tasks]):
                yield future.result()
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
            for process in opened:
                process.close()


def alone(job: Job, task: Task) -> Tally:
    """A task in a separate process; raises `TokauditError` where that dies too."""
    process = TaskProcess(job)
    try:
        found = process.measure(task)
    finally:
        process.close()
    if found is None:
        raise TokauditError(
            f"{task.name}: the process that reads the piece from {task.start:,} on died twice"
        )
    return found
