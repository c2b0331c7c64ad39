"""Run the tasks of a job: in this process, in several local ones, or by Ray."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tokaudit.shards.by_ray import in_ray
from tokaudit.shards.bytes_read import BytesRead, OnBytes
from tokaudit.shards.finished import FinishedPieces
from tokaudit.shards.processes import in_processes
from tokaudit.shards.work import J, R, Task, Work


@dataclass(frozen=True)
class Runners:
    """The number of processes for tasks, or the address of Ray."""

    jobs: int = 1
    ray: str = ""  # its address, or "local"
    apart: bool = False  # in a separate process even where one is enough


def results(
    work: Work[J, R],
    job: J,
    tasks: Sequence[Task],
    runners: Runners,
    *,
    here: Callable[[Task], R] | None = None,
    kept: FinishedPieces[R] | None = None,
    on_bytes: OnBytes | None = None,
) -> Iterator[tuple[Task, R]]:
    """Yield the result of each task as it is ready, finished ones first.

    `here` does a task in this process where no other is asked for; by default what the work opens.
    `on_bytes` gets how many bytes of the files are read, and of how many.
    """
    open_, read = [], BytesRead(tasks, on_bytes)
    for task in tasks:
        found = kept.read(task) if kept else None
        if found is None:
            open_.append(task)
        else:
            read.add(task)
            yield task, found
    for task, found in _run(work, job, open_, runners, here):
        if kept is not None:
            kept.keep(task, found)
        read.add(task)
        yield task, found


def _run(
    work: Work[J, R],
    job: J,
    tasks: Sequence[Task],
    runners: Runners,
    here: Callable[[Task], R] | None,
) -> Iterator[tuple[Task, R]]:
    if runners.ray and tasks:
        yield from in_ray(work, job, tasks, runners.ray, runners.jobs)
    elif tasks and (runners.apart or (runners.jobs > 1 and len(tasks) > 1)):
        yield from in_processes(work, job, tasks, min(runners.jobs, len(tasks)))
    elif here is not None:
        yield from ((task, here(task)) for task in tasks)
    elif tasks:
        with work.opened(job) as done:
            yield from ((task, done(task)) for task in tasks)
