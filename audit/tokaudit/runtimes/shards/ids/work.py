"""The work over ids: what all pieces have in common, and what measures one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from tokaudit.runtimes.protocol import Tokenizer
from tokaudit.runtimes.request import LoadRequest, decoded, encoded, from_anywhere
from tokaudit.runtimes.shards.ids.measuring import measure
from tokaudit.runtimes.shards.ids.plan import Plan
from tokaudit.runtimes.shards.ids.tally import Tally
from tokaudit.runtimes.shards.work import Task, Work, packed
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.subject.data import Piece, Shard
from tokaudit.subject.data.files import DataFile, IdDescription
from tokaudit.subject.data.opening import open_shard


@dataclass(frozen=True)
class Job:
    """What all tasks of a run have in common; `request` loads the tokenizer, empty for none.

    `tokenizer` is a digest of it and names what runs it: paths in the request are of this run.
    """

    version: str
    plan: Plan
    given: IdDescription
    tokenizer: str = ""
    request: Mapping[str, Any] = field(default_factory=dict)

    def loading(self, request: LoadRequest) -> Job:
        """The same with a tokenizer, whose paths are understood from any folder."""
        return replace(self, request=encoded(from_anywhere(request)))

    @property
    def settings(self) -> bytes:
        """What decides the result."""
        return packed(replace(self, request={}))


class Measurer:
    """Measures one task after the other, with one worker and one shard open."""

    def __init__(self, job: Job, tokenizer: Tokenizer | None) -> None:
        self._job, self._tokenizer = job, tokenizer
        self._opened: tuple[DataFile, Shard] | None = None

    def measure(self, task: Task) -> Tally:
        """The tally of a task."""
        file = DataFile.at(task.path, task.size, task.name)
        if self._opened is None or self._opened[0] != file:
            self._opened = file, open_shard(file, self._job.given)
        piece = Piece(task.start, task.stop)
        return measure(self._opened[1], piece, self._job.plan, self._tokenizer)


@contextmanager
def measurer(job: Job) -> Iterator[Callable[[Task], Tally]]:
    """What measures a task, with its own worker."""
    if not job.request:
        yield Measurer(job, None).measure
        return
    with WorkerTokenizer(decoded(job.request)) as tokenizer:
        yield Measurer(job, tokenizer).measure


WORK = Work("tokaudit.runtimes.shards.ids.work", Job, Tally, measurer)
