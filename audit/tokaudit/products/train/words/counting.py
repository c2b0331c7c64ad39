"""Count the pre-tokens of a corpus, with the same result however pieces are run."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tokaudit.foundation.errors import UnreadableError
from tokaudit.foundation.leftovers import owned, temporary
from tokaudit.products.train.words.merging import WordTotals
from tokaudit.products.train.words.work import WORK, CountingJob
from tokaudit.shards.bytes_read import OnBytes
from tokaudit.shards.finished import file_digest, kept_in
from tokaudit.shards.running import Runners, results
from tokaudit.shards.work import Task
from tokaudit_reference.training.chunks import ranges

LARGEST_PIECE = 1 << 30  # bytes of text between two places to cut, which are in memory at once


def count_corpus(
    files: Sequence[Path],
    job: CountingJob,
    runners: Runners,
    *,
    resume: str = "",
    on_bytes: OnBytes | None = None,
) -> Iterator[tuple[str, int]]:
    """Yield each pre-token with its count, in the order of first appearance.

    Nothing is left out: what cannot be counted exactly is refused with `UnreadableError`.
    `on_bytes` gets how many bytes are counted, and of how many.
    """
    tasks = list(_tasks(files, job))
    piece = {task: number for number, task in enumerate(tasks)}
    digests = {str(file): file_digest(file) for file in files} if resume else {}
    kept = kept_in(resume, WORK, job.settings, digests) if resume else None
    with temporary(Path(tempfile.gettempdir()) / f"{owned()}{secrets.token_hex(8)}") as folder:
        totals = WordTotals(folder)
        for task, found in results(WORK, job, tasks, runners, kept=kept, on_bytes=on_bytes):
            if found.bad is not None:
                raise UnreadableError(_not_utf8(task, *found.bad))
            totals.add(piece[task], found.counts)
        yield from totals.words()


def _tasks(files: Sequence[Path], job: CountingJob) -> Iterator[Task]:
    """Yield pieces whose edges no pre-token crosses."""
    for file in files:
        path, size = str(file.absolute()), file.stat().st_size
        for start, stop in ranges(file, job.special, job.patterns):
            if stop - start > LARGEST_PIECE:
                raise UnreadableError(
                    f"{file}: {stop - start:,} bytes have no place at which the text may be split; "
                    f"at most {LARGEST_PIECE:,} are read. Put a special token between documents "
                    "and name it with --special, or split the file"
                )
            if start < stop:
                yield Task(str(file), path, size, start, stop)


def _not_utf8(task: Task, offset: int, byte: int) -> str:
    return f"{task.name}: is not UTF-8: byte 0x{byte:02x} at offset {offset}; convert it first"
