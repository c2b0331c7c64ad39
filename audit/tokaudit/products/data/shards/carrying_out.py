"""Run a job over all pieces of all shards, and merge the results by shard."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from tokaudit.foundation.errors import UnreadableError
from tokaudit.products.data.files import Piece, Shard, StatedShard
from tokaudit.products.data.files.files import DataFile
from tokaudit.products.data.files.opening import open_shard
from tokaudit.products.data.ids.counts.tally import Tally
from tokaudit.products.data.ids.measuring import measure
from tokaudit.products.data.shards.jail import ShardWorker
from tokaudit.products.data.shards.job import Job
from tokaudit.runtimes.protocol import Tokenizer
from tokaudit.runtimes.request import decoded
from tokaudit.shards.bytes_read import OnBytes
from tokaudit.shards.finished import FinishedPieces, kept_in
from tokaudit.shards.running import Runners, results
from tokaudit.shards.work import Task, Work


class Measurer:
    """Measures one task after the other in this process, for files without a sandbox."""

    def __init__(self, tokenizer: Tokenizer | None = None) -> None:
        self._tokenizer = tokenizer
        self._opened: tuple[DataFile, Shard] | None = None

    def measure(self, job: Job, task: Task) -> Tally:
        """Return the tally of a task."""
        file = DataFile.at(task.path, task.size, task.name)
        if self._opened is None or self._opened[0] != file:
            self._opened = file, open_shard(file, job.given)
        piece = Piece(task.start, task.stop)
        return measure(self._opened[1], piece, job.plan, self._tokenizer)


@contextmanager
def measurer(job: Job) -> Iterator[Callable[[Task], Tally]]:
    """Yield a function that measures a task, in a separate worker."""
    with ShardWorker(decoded(job.request) if job.request else None) as worker:
        yield partial(worker.measured, job)


WORK = Work("tokaudit.products.data.shards.carrying_out", Job, Tally, measurer)


@dataclass(frozen=True)
class Way:
    """The way to run pieces: in this process, in several, or by Ray.

    `here` measures a task where no other process is asked for; by default a worker does.
    """

    jobs: int = 1
    here: Callable[[Job, Task], Tally] | None = None
    resume: str = ""
    on_bytes: OnBytes | None = None
    ray: str = ""  # its address, or "local"
    apart: bool = False  # in a separate process even where one is enough


def carry_out(job: Job, shards: Mapping[DataFile, StatedShard], way: Way) -> dict[str, Tally]:
    """Return the tally of each shard by name, independent of how pieces are run."""
    tasks = [
        Task(file.name, file.where, file.size, piece.start, piece.stop)
        for file, shard in shards.items()
        for piece in shard.pieces()
    ]
    kept = _kept(job, shards, way.resume) if way.resume else None
    here = partial(way.here, job) if way.here is not None else None
    runners = Runners(way.jobs, way.ray, way.apart)
    total, left = {file.name: Tally() for file in shards}, deque(tasks)
    early: dict[Task, Tally] = {}  # those that come before their turn; of all, memory would grow
    for task, tally in results(
        WORK, job, tasks, runners, here=here, kept=kept, on_bytes=way.on_bytes
    ):
        early[task] = tally
        while left and left[0] in early:
            total[left[0].name].add(early.pop(left.popleft()))
    return total


def _kept(job: Job, shards: Mapping[DataFile, StatedShard], folder: str) -> FinishedPieces[Tally]:
    digests = {file.name: digest_of(file, shard) for file, shard in shards.items()}
    return kept_in(folder, WORK, job.settings, digests)


def digest_of(file: DataFile, shard: StatedShard) -> str:
    """Return one digest of the names and bytes of a shard's files."""
    digest = hashlib.sha256()
    for name in shard.info.files:
        one = file if name == file.name else file.sibling(name.rpartition("/")[2])
        if one is None:
            raise UnreadableError(f"{name}: no longer exists")
        digest.update(
            f"{name}\0{one.size}\0{file_digest(one)}\0".encode("utf-8", "surrogateescape")
        )
    return digest.hexdigest()


def file_digest(file: DataFile) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits."""
    with file.open() as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()  # type: ignore[arg-type]
