"""Compare two encoders on a user's own documents, in constant memory.

Both sides encode the same batches at the same time, piece by piece.  What travels is the number of
ids and a digest; the ids themselves are asked for the worst documents alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tokaudit.engine.corpus.documents import tasks_of
from tokaudit.engine.corpus.work import (
    WORK,
    ComparingJob,
    DigestEncoder,
    PieceComparison,
    compared_piece,
)
from tokaudit.engine.evidence import TokenRow, two_rows
from tokaudit.engine.texts.shrink import minimise
from tokaudit.foundation.errors import UnreadableError
from tokaudit.report.comparison import CorpusSlice
from tokaudit.report.model import Evidence
from tokaudit.shards.bytes_read import OnBytes
from tokaudit.shards.finished import FinishedPieces, file_digest, kept_in
from tokaudit.shards.running import Runners, results
from tokaudit.shards.work import Task

LONGEST_SHRUNK = 4_000  # characters of a document that is shrunk as a whole
HERE = ComparingJob({}, {})  # where both sides are open in this process


@dataclass(frozen=True)
class CorpusSide:
    """An encoder of documents on one side, and the names of its tokens."""

    name: str
    encoder: DigestEncoder
    names: Mapping[int, str]


def compare_corpus(
    path: Path,
    left: CorpusSide,
    right: CorpusSide,
    run_by: str,
    *,
    job: ComparingJob = HERE,
    runners: Runners = Runners(),
    keeping: tuple[str, bytes] | None = None,
    on_bytes: OnBytes | None = None,
) -> CorpusSlice:
    """Compare the documents of one file by ids, independent of how its pieces are run.

    Other processes need a `job` that loads the two sides.  `keeping` is a folder for finished
    pieces, with what decides them; `on_bytes` gets how many bytes are read, and of how many.
    """
    tasks = tasks_of(path)
    found = dict(
        results(
            WORK,
            job,
            tasks,
            runners,
            kept=_kept(tasks, *keeping) if keeping else None,
            here=lambda task: compared_piece(task, left.encoder, right.encoder),
            on_bytes=on_bytes,
        )
    )
    counted = PieceComparison()
    for task in tasks:
        if found[task].refused:
            raise UnreadableError(found[task].refused)
        counted.add(found.pop(task))
    worst = [
        shown
        for each in sorted(counted.worst, reverse=True)
        if (shown := _shown(each.text, -each.number, left, right, run_by)) is not None
    ]
    return CorpusSlice(
        str(path),
        counted.documents,
        counted.different,
        counted.failed,
        counted.characters,
        counted.left,
        counted.right,
        run_by,
        tuple(worst),
    )


def _kept(tasks: Sequence[Task], folder: str, settings: bytes) -> FinishedPieces[PieceComparison]:
    """Return the finished pieces in a folder, by the digests of their files."""
    paths = {task.name: Path(task.path) for task in tasks}
    digests = {name: file_digest(path) for name, path in paths.items()}
    return kept_in(folder, WORK, settings, digests)


def _shown(
    text: str, number: int, left: CorpusSide, right: CorpusSide, run_by: str
) -> Evidence | None:
    """Return a minimal differing text from a differing document."""

    def fails(texts: Sequence[str]) -> list[bool]:
        pairs = zip(left.encoder.digests(texts), right.encoder.digests(texts), strict=True)
        return [None not in (one, other) and one != other for one, other in pairs]

    lines = text.splitlines(keepends=True) if len(text) > LONGEST_SHRUNK else [text]
    parts = [part[:LONGEST_SHRUNK] for part in lines]
    differing = [part for part, differs in zip(parts, fails(parts), strict=True) if differs]
    if not differing:
        return None
    minimal = minimise(min(differing, key=len), fails)
    one, other = (
        TokenRow(each.name, each.encoder.encode([minimal])[0].ids, each.names)
        for each in (left, right)
    )
    note = f"out of document {number:,}; run by {run_by}"
    return two_rows(minimal, one, other, note, minimal=True)
