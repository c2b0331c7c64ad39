"""Documents of `--corpus`, encoded and decoded in pieces for all checks."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from tokaudit.engine.corpus.documents import require_readers, tasks_of
from tokaudit.engine.corpus.encoding import WORK, EncodedPiece, EncodingJob
from tokaudit.engine.needs import Options, Upstream
from tokaudit.engine.resolver import first, need, need_from_worker
from tokaudit.engine.texts.coming_back import exempt_contents
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import NotApplicable, OutOfTime, Skip
from tokaudit.foundation.installed_version import own_version
from tokaudit.runtimes.subject_requests import tokenizer_digest
from tokaudit.shards.finished import FinishedPieces, file_digest, kept_in
from tokaudit.shards.running import Runners, results
from tokaudit.shards.work import Task
from tokaudit_reference.spec import TokenizerSpec


@dataclass(frozen=True)
class CorpusPieces:
    """Pieces of the files of a corpus, by file name."""

    pieces: Mapping[str, tuple[Task, ...]]

    @property
    def all(self) -> list[Task]:
        """Return every piece, in the order of files and positions."""
        return [task for tasks in self.pieces.values() for task in tasks]


@dataclass(frozen=True)
class CorpusCounts:
    """Counts of each file of a corpus."""

    files: Mapping[str, EncodedPiece]
    run_by: str

    @cached_property
    def total(self) -> EncodedPiece:
        """Add up all files."""
        found = EncodedPiece()
        for each in self.files.values():
            found.add(each)
        return found

    @property
    def method(self) -> str:
        """Describe the encoder, the amount encoded, and the interval."""
        return f"every document, by {self.run_by}; ratio of sums, interval by the delta method"


@first
@need
def corpus_pieces(options: Options) -> CorpusPieces:
    """Collect the files of all folders; refuse those whose reader is not installed."""
    if not options.corpus:
        raise NotApplicable("no corpus was named with --corpus")
    paths = [Path(path) for path in options.corpus]
    require_readers(paths)
    found: dict[str, list[Task]] = {}
    for path in dict.fromkeys(paths):
        for task in tasks_of(path):
            found.setdefault(task.name, []).append(task)
    common = os.path.commonpath([Path(name).absolute().parent for name in found]) if found else ""
    return CorpusPieces({os.path.relpath(name, common): tuple(found[name]) for name in found})


@need_from_worker
def corpus_counts(
    corpus: CorpusPieces,
    spec: TokenizerSpec,
    options: Options,
    workers: Workers,
    upstream: Upstream,
) -> CorpusCounts:
    """Encode all documents with the library, and count, independent of the pieces."""
    tokenizer = workers.opened["upstream"]
    job = EncodingJob(
        own_version(),
        tokenizer_digest(spec, tokenizer),
        spec.normalizer.options,
        exempt_contents(spec),
    ).loading(tokenizer.request)
    runners = Runners(options.jobs, options.ray or "")
    kept = _kept(corpus, job, os.fspath(options.resume)) if options.resume else None
    tasks, found = corpus.all, {}
    on_bytes = partial(workers.on_step, "encoding the corpus")
    for task, piece in results(WORK, job, tasks, runners, kept=kept, on_bytes=on_bytes):
        if piece.unreadable:
            raise Skip(f"--corpus: {piece.unreadable}")
        found[task] = piece
        if workers.limits.deadline.passed and len(found) < len(tasks):
            raise OutOfTime(
                f"{len(found):,} of {len(tasks):,} pieces of the corpus are read; --timeout gives "
                "more time, and with --resume DIR the next run goes on from here"
            )
    info = upstream.info
    files = {name: _sum(found, pieces) for name, pieces in corpus.pieces.items()}
    return CorpusCounts(files, f"{info.package} {info.version}")


def _sum(found: Mapping[Task, EncodedPiece], pieces: tuple[Task, ...]) -> EncodedPiece:
    total = EncodedPiece()
    for task in pieces:
        total.add(found[task])
    return total


def _kept(corpus: CorpusPieces, job: EncodingJob, folder: str) -> FinishedPieces[EncodedPiece]:
    paths = {task.name: Path(task.path) for task in corpus.all}
    digests = {name: file_digest(path) for name, path in paths.items()}
    return kept_in(folder, WORK, job.settings, digests)
