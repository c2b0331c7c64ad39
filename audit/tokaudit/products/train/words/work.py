"""Work over a corpus: split its text into pre-tokens, and count one piece."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokaudit.shards.work import Task, Work, packed
from tokaudit_reference.spec import Component
from tokaudit_reference.steps.normalizers import normalizer
from tokaudit_reference.steps.pre_tokenizers import pre_tokenizer
from tokaudit_reference.training.words import cutter, without

Cut = Callable[[str], list[str]]


@dataclass(frozen=True)
class CountingJob:
    """The way to split a corpus: at special tokens, then by patterns, or else by steps."""

    version: str
    special: tuple[str, ...]
    patterns: tuple[str, ...] = ()
    normalizer: Any = None
    pre_tokenizer: Any = None

    @property
    def settings(self) -> bytes:
        """Return the bytes that decide the result."""
        return packed(self)

    def cut(self) -> Cut:
        """Return a function that splits a document into pre-tokens."""
        if self.patterns:
            return cutter(self.patterns)
        normalize = normalizer(Component(self.normalizer))
        split = pre_tokenizer(Component(self.pre_tokenizer))
        return lambda document: split(normalize(document), True)


@dataclass(frozen=True)
class PieceCounts:
    """Counts of a piece's pre-tokens, in the order of first appearance.

    `bad` is the place in the file of the first byte that is not UTF-8, and its value.
    """

    counts: dict[str, int]
    bad: tuple[int, int] | None = None


@contextmanager
def counting(job: CountingJob) -> Iterator[Callable[[Task], PieceCounts]]:
    """Yield a function that counts the pre-tokens of a piece."""
    cut = job.cut()
    yield lambda task: _counted(task, job.special, cut)


def _counted(task: Task, special: tuple[str, ...], cut: Cut) -> PieceCounts:
    with Path(task.path).open("rb") as file:
        file.seek(task.start)
        data = file.read(task.stop - task.start)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return PieceCounts({}, (task.start + error.start, data[error.start]))
    counts: Counter[str] = Counter()
    for document in filter(None, without(special, text)):
        counts.update(cut(document))
    return PieceCounts(counts)


WORK = Work("tokaudit.products.train.words.work", CountingJob, PieceCounts, counting)
