"""Reads one hostile file as a run does: what is said of it, and the most memory that it took."""

from __future__ import annotations

import resource
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from tokaudit.foundation.errors import UnreadableError
from tokaudit.products.data.files.files import IdDescription, files_of
from tokaudit.products.data.files.opening import open_data
from tokaudit.products.data.ids.plan import Draw, Expected, Plan
from tokaudit.products.data.shards.carrying_out import Way, carry_out
from tokaudit.products.data.shards.jail import ShardWorker
from tokaudit.products.data.shards.job import Job
from tokaudit_hostile_ids.files import HOSTILE, Hostile

SIZE = 8193


@dataclass(frozen=True)
class Trial:
    """What is said of a file, and the megabytes of the process that asks and of its workers.

    `workers` is of the one that had most so far, as only one of them is there at a time.
    """

    said: tuple[str, ...]
    parent: float
    workers: float


def tried(hostile: Hostile, folder: Path) -> Trial:
    """Write a file, and read it."""
    file = folder / hostile.file
    hostile.write(file)
    return Trial(tuple(_said(file)), _peak(resource.RUSAGE_SELF), _peak(resource.RUSAGE_CHILDREN))


def forking() -> ProcessPoolExecutor:
    """What forks a process for each trial: one that has imported all and read nothing."""
    return ProcessPoolExecutor(1, get_context("spawn"))


def in_a_process(hostile: Hostile, forking: ProcessPoolExecutor) -> Trial:
    """The trial of a file in a process that has read no other, as its peak tells of all it read."""
    with TemporaryDirectory() as folder:
        return forking.submit(_in_a_fork, HOSTILE.index(hostile), folder).result()


def _in_a_fork(number: int, folder: str) -> Trial:
    with ProcessPoolExecutor(1, get_context("fork")) as fork:
        return fork.submit(of_index, number, folder).result()


def of_index(number: int, folder: str) -> Trial:
    """The trial of a file by its number, since what writes it may not travel."""
    return tried(HOSTILE[number], Path(folder))


def _said(path: Path) -> list[str]:
    given = IdDescription("", SIZE)
    plan = Plan(Expected(SIZE, end=(SIZE - 1,)), Draw(1.0))
    with ShardWorker() as worker:
        try:
            corpus = open_data([path], given, worker.opened)
        except UnreadableError as error:
            return [str(error)]
        files = {file.name: file for file in files_of([path])}
        shards = {files[shard.info.name]: shard for shard in corpus.shards}
        tallies = carry_out(Job("hostile", plan, given), shards, Way(here=worker.measured))
    said = [message for _, message in corpus.unreadable]
    said += [fault.message for shard in corpus.shards for fault in shard.info.faults]
    said += [message for tally in tallies.values() for _, message, _, _ in tally.faults]
    return said


def _peak(who: int) -> float:
    return resource.getrusage(who).ru_maxrss / 1024
