"""Run tasks in local processes; retry a dead one's task once, alone, then blame it."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import Generic

from tokaudit.foundation import leftovers
from tokaudit.foundation.errors import TokauditError
from tokaudit.shards.work import J, R, Task, Work, packed

PROGRAM = (sys.executable, "-P", "-m", "tokaudit.shards")
AHEAD = 4  # tasks handed out for each process, so that results do not pile up


class TaskProcess(Generic[J, R]):
    """One process that runs the tasks it is sent."""

    def __init__(self, work: Work[J, R], job: J) -> None:
        self._work, pipe = work, subprocess.PIPE
        self._process = subprocess.Popen(
            [*PROGRAM, work.module],
            stdin=pipe,
            stdout=pipe,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        leftovers.add_group(self._process.pid)
        self._send(packed(job))

    def result(self, task: Task) -> R | None:
        """Return the result of a task; None if the process died of it."""
        try:
            self._send(packed(task))
        except OSError:
            return None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        return self._work.result_of(line) if line.endswith(b"\n") else None

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


def in_processes(
    work: Work[J, R], job: J, tasks: Sequence[Task], count: int
) -> Iterator[tuple[Task, R]]:
    """Yield the result of each task, as it is ready."""
    local = threading.local()
    opened: list[TaskProcess[J, R]] = []

    def run(task: Task) -> tuple[Task, R]:
        if getattr(local, "process", None) is None:
            local.process = TaskProcess(work, job)
            opened.append(local.process)
        found = local.process.result(task)
        if found is None:
            local.process.close()
            local.process = None
            found = alone(work, job, task)
        return task, found

    with ThreadPoolExecutor(count) as threads:
        waiting: set[Future[tuple[Task, R]]] = set()
        left = iter(tasks)
        try:
            while True:
                waiting |= {
                    threads.submit(run, task) for task in islice(left, AHEAD * count - len(waiting))
                }
                if not waiting:
                    return
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
            for process in opened:
                process.close()


def alone(work: Work[J, R], job: J, task: Task) -> R:
    """Run a task in a separate process; raise `TokauditError` if that dies too."""
    process = TaskProcess(work, job)
    try:
        found = process.result(task)
    finally:
        process.close()
    if found is None:
        raise TokauditError(
            f"{task.name}: the process that reads the part from {task.start:,} on died twice"
        )
    return found
