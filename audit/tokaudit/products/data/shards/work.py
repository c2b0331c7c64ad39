"""The work over ids: what measures one piece after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from tokaudit.products.data.files import Piece, Shard
from tokaudit.products.data.files.files import DataFile
from tokaudit.products.data.files.opening import open_shard
from tokaudit.products.data.ids.counts.tally import Tally
from tokaudit.products.data.ids.measuring import measure
from tokaudit.products.data.shards.jail import ShardWorker
from tokaudit.products.data.shards.job import Job
from tokaudit.runtimes.protocol import Tokenizer
from tokaudit.runtimes.request import decoded
from tokaudit.shards.work import Task, Work


class Measurer:
    """Measures one task after the other in this process, for files that need no sandbox."""

    def __init__(self, tokenizer: Tokenizer | None = None) -> None:
        self._tokenizer = tokenizer
        self._opened: tuple[DataFile, Shard] | None = None

    def measure(self, job: Job, task: Task) -> Tally:
        """The tally of a task."""
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


WORK = Work("tokaudit.products.data.shards.work", Job, Tally, measurer)
