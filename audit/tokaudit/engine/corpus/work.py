"""Encode the documents of a piece with both sides, and compare."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from tokaudit.engine.corpus.documents import batches, documents_of
from tokaudit.foundation.errors import UnreadableError
from tokaudit.runtimes.protocol import EncodeOptions, Encoding
from tokaudit.runtimes.request import LoadRequest, decoded, encoded, from_anywhere
from tokaudit.runtimes.worker.allowance import WorkerLimits
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.shards.work import Task, Work

SHOWN = 3  # worst documents of a file
LIMITS = WorkerLimits(60.0, 60.0)


class DigestEncoder(Protocol):
    """An encoder that can return digests of ids instead of ids."""

    def digests(self, texts: Sequence[str]) -> list[tuple[int, str] | None]:
        """Return the number of ids and their digest for each text."""
        ...

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """Encode each text."""
        ...


@dataclass(frozen=True)
class ComparingJob:
    """Two sides to load in another process."""

    left: Mapping[str, Any]
    right: Mapping[str, Any]

    @classmethod
    def loading(cls, left: LoadRequest, right: LoadRequest) -> ComparingJob:
        """Build the job of two requests, with paths independent of the folder."""
        return cls(*(encoded(from_anywhere(each)) for each in (left, right)))


@dataclass(order=True)
class WorstDocument:
    """A differing document: size of the difference, negative number (first wins), and text."""

    shift: int
    number: int
    text: str


@dataclass
class PieceComparison:
    """Counts of a piece; `refused` is the reason why it could not be read."""

    documents: int = 0
    different: int = 0
    failed: int = 0
    characters: int = 0
    left: int = 0
    right: int = 0
    worst: list[WorstDocument] = field(default_factory=list)  # a heap, the mildest first
    refused: str = ""

    def take(self, text: str, one: tuple[int, str] | None, other: tuple[int, str] | None) -> None:
        """Count a document."""
        self.documents += 1
        self.characters += len(text)
        if one is None or other is None:
            self.failed += 1
            return
        self.left += one[0]
        self.right += other[0]
        if one != other:
            self.different += 1
            self._keep(WorstDocument(abs(one[0] - other[0]), -self.documents, text))

    def _keep(self, worst: WorstDocument) -> None:
        push = heapq.heappush if len(self.worst) < SHOWN else heapq.heappushpop
        push(self.worst, worst)

    def add(self, other: PieceComparison) -> None:
        """Add the counts of the next piece."""
        for worst in other.worst:
            self._keep(WorstDocument(worst.shift, worst.number - self.documents, worst.text))
        for name in ("documents", "different", "failed", "characters", "left", "right"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def compared_piece(task: Task, left: DigestEncoder, right: DigestEncoder) -> PieceComparison:
    """Encode the documents of a piece with both sides at the same time."""
    counted = PieceComparison()
    with ThreadPoolExecutor(2) as both:
        try:
            for batch in batches(documents_of(task)):
                ours, theirs = both.map(lambda side: side.digests(batch), (left, right))  # noqa: B023
                for text, one, other in zip(batch, ours, theirs, strict=True):
                    counted.take(text, one, other)
        except UnreadableError as error:
            return PieceComparison(refused=str(error))
    return counted


@contextmanager
def comparing(job: ComparingJob) -> Iterator[Callable[[Task], PieceComparison]]:
    """Yield a function that compares a piece, with a worker for each side."""
    left, right = (WorkerTokenizer(decoded(each), limits=LIMITS) for each in (job.left, job.right))
    with left, right:
        yield lambda task: compared_piece(task, left, right)


WORK = Work("tokaudit.engine.corpus.work", ComparingJob, PieceComparison, comparing)
