"""A worker that parses files of ids, which the parent only hands over.

Headers, rows and compressed streams are parsed where the tokenizer runs too, in the sandbox.  A
worker that dies is started again and asked once more; who dies twice is named with its piece.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import msgspec

from tokaudit.foundation.errors import UnreadableError, UsageError, WorkerLost
from tokaudit.products.data.files import Piece, all_data_formats
from tokaudit.products.data.files.batch import HoldsNoIds, ShardInfo
from tokaudit.products.data.files.files import DataFile, IdDescription
from tokaudit.products.data.ids import requests
from tokaudit.products.data.ids.counts.tally import Tally
from tokaudit.products.data.ids.inside import unread
from tokaudit.products.data.ids.isolating import Ranges, without_killers
from tokaudit.products.data.ids.jobs import MEASURE_PIECE, OPEN_SHARD
from tokaudit.products.data.shards import answers
from tokaudit.products.data.shards.job import Job
from tokaudit.runtimes.registry import all_adapters, named_by_user
from tokaudit.runtimes.request import LoadRequest, encoded, from_anywhere
from tokaudit.runtimes.worker import questions
from tokaudit.runtimes.worker.allowance import START_PROCESSOR, WorkerLimits
from tokaudit.runtimes.worker.answers import LOADED, Answer, Shape, clean
from tokaudit.runtimes.worker.client import ASLEEP, START_SECONDS, UpstreamRefused
from tokaudit.runtimes.worker.deaths import WorkerDied, surely
from tokaudit.runtimes.worker.files.server import FileServer, HandedFile
from tokaudit.runtimes.worker.process import WorkerProcess
from tokaudit.shards.work import Task


@dataclass(frozen=True)
class OpenedShard:
    """The headers and indexes of a file, as read by a worker."""

    info: ShardInfo
    cuts: tuple[Piece, ...]

    def pieces(self) -> Sequence[Piece]:
        """Return the cut points."""
        return self.cuts


PIECE_PROCESSOR = 900.0  # seconds for one piece; a file that is compressed or a stream is one
PIECE_SECONDS = 4 * 3600.0  # of the wall clock, in which bytes may have to be fetched
OPENING_PROCESSOR = 120.0
USED_UP = 600.0  # seconds of processor time after which another process takes over
T = TypeVar("T")


class ShardWorker:
    """Opens and measures shards in one process after the other, started on demand."""

    def __init__(
        self, request: LoadRequest | None = None, limits: WorkerLimits | None = None
    ) -> None:
        """Store the request for a tokenizer to decode and encode documents, if any."""
        self._request, self._limits = request, limits or WorkerLimits()
        self._process: WorkerProcess | None = None
        self._files: FileServer | None = None

    def __enter__(self) -> ShardWorker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """Return the current process; 0 if there is none."""
        return self._process.pid if self._process is not None else 0

    def close(self) -> None:
        """End the process; a later request starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def opened(self, file: DataFile, given: IdDescription) -> OpenedShard | None:
        """Return the statements of a file about itself; None if no format recognises it.

        Raises `HoldsNoIds` and `UnreadableError` as the formats do, and `UsageError` with the line
        that installs what reads it.
        """
        asked = _asked(file, given)
        question = questions.Do(OPEN_SHARD.name, msgspec.to_builtins(asked))
        try:
            found = self._ask(file, question, answers.openings(asked), OPENING_PROCESSOR)
        except WorkerDied as error:
            raise UnreadableError(f"{file.name}: {_died('its header', error)}") from error
        if found.missing is not None:
            raise UsageError(clean(found.missing))
        if found.unreadable is not None:
            raise UnreadableError(clean(found.unreadable))
        if found.others:
            raise HoldsNoIds(clean(found.others))
        return OpenedShard(found.info, found.pieces) if found.info is not None else None

    def measured(self, job: Job, task: Task) -> Tally:
        """Return the tally of a piece; one that kills its worker is a fault.

        Where it is a text that kills the tokenizer's library, the rest of the piece is counted.
        """
        file = DataFile.at(task.path, task.size, task.name)
        asked = _asked(file, job.given)
        piece = Piece(task.start, task.stop)

        def counted(left_out: Ranges) -> Tally:
            request = requests.PieceRequest(asked, piece, job.plan, left_out)
            question = questions.Do(MEASURE_PIECE.name, msgspec.to_builtins(request))
            return self._ask(file, question, answers.tallies(asked), PIECE_PROCESSOR)

        try:
            return counted(())
        except WorkerDied as error:
            rest = None
            if self._request is not None and not error.late:  # or each question takes as long
                rest = without_killers(partial(_unless_it_dies, counted))
            return rest or unread(task.name, _died(f"the part from {task.start:,} on", error))

    def _ask(
        self, file: DataFile, question: questions.AnyQuestion, shape: Shape[T], processor: float
    ) -> T:
        """Return the answer of the current process, or of another one if that dies."""
        try:
            return surely(lambda: self._answer(file, question, shape, processor))
        except WorkerLost as error:
            raise UnreadableError(f"{file.name}: {error}") from error

    def _answer(
        self, file: DataFile, question: questions.AnyQuestion, shape: Shape[T], processor: float
    ) -> T:
        process = self._process or self._started()
        self._process = None  # until it has answered
        assert self._files is not None
        self._files.hand(HandedFile(file.path.name, file, companions()))
        answer = process.ask(question, shape, PIECE_SECONDS, processor)
        self._keep(process, answer)
        if isinstance(answer.result, msgspec.UnsetType):
            raise RuntimeError(f"{file.name}: {clean(answer.error or '')}")
        return answer.result

    def _keep(self, process: WorkerProcess, answer: Answer[T]) -> None:
        if answer.processor > USED_UP:
            process.close()
        else:
            self._process = process

    def _started(self) -> WorkerProcess:
        """Start a process and load the tokenizer, if there is one."""
        budget, request = self._limits.budget, self._request
        named = all_adapters().get(request.adapter) if request else None
        self._files = FileServer()
        process = WorkerProcess(
            (named.memory if named else 0) or budget.of_one,
            self._limits.deadline,
            sandboxed=request is None or request.adapter not in named_by_user(),
            budget=budget,
            with_children=named is not None and named.programs is not None,
            files=self._files,
        )
        if request is not None:
            load = questions.Load(encoded(from_anywhere(request)))
            asleep = math.inf if request.adapter in named_by_user() else ASLEEP
            answer = process.ask(load, LOADED, START_SECONDS, START_PROCESSOR, asleep)
            if isinstance(answer.result, msgspec.UnsetType):
                process.close()
                raise UpstreamRefused(clean(answer.error or ""))
        return process


def _unless_it_dies(counted: Callable[[Ranges], Tally], left_out: Ranges) -> Tally | None:
    try:
        return counted(left_out)
    except WorkerDied:
        return None


def companions() -> tuple[str, ...]:
    """Return the name endings of companion files."""
    return tuple(suffix for format in all_data_formats() for suffix in format.companions)


def _asked(file: DataFile, given: IdDescription) -> requests.ShardRequest:
    return requests.ShardRequest(file.path.name, file.name, file.size, given)


def _died(what: str, error: WorkerDied) -> str:
    """Describe what could not be read, and how the worker ended, without varying figures."""
    return (
        f"{what} could not be read: the worker process died twice ({error.how.partition(':')[0]})"
    )
