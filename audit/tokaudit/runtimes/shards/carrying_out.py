"""Carries out a job over all pieces of all shards, and merges what comes back by shard."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.runtimes.protocol import Tokenizer
from tokaudit.runtimes.shards.by_ray import in_ray
from tokaudit.runtimes.shards.processes import in_processes
from tokaudit.runtimes.shards.tally import Tally
from tokaudit.runtimes.shards.tasks import Job, Measurer, Task, packed, tally_of
from tokaudit.subject.data import Shard
from tokaudit.subject.data.files import DataFile

OnPiece = Callable[[int, int], None]


@dataclass(frozen=True)
class FinishedPieces:
    """A folder of finished pieces, each under the digest of all that decides it."""

    folder: Path
    job: Job
    digests: Mapping[str, str]  # of the files of each shard, by its name

    def path(self, task: Task) -> Path:
        """Where the tally of a task is, or will be."""
        parts = (self.job.settings, self.digests[task.name].encode(), packed(task))
        digest = hashlib.sha256(b"\0".join(parts)).hexdigest()
        return self.folder / f"{digest[:40]}.json"

    def read(self, task: Task) -> Tally | None:
        """The tally of a task, if it was finished; what cannot be read is measured again."""
        try:
            return tally_of(self.path(task).read_bytes())
        except (OSError, ValueError):
            return None

    def keep(self, task: Task, tally: Tally) -> None:
        """Write a tally, whole or not at all."""
        path = self.path(task)
        partial = path.with_suffix(".part")
        partial.write_bytes(packed(tally))
        partial.replace(path)


@dataclass(frozen=True)
class Way:
    """How the pieces are run: in this process by its own tokenizer, in so many others, by Ray."""

    jobs: int = 1
    tokenizer: Tokenizer | None = None
    resume: str = ""
    on_piece: OnPiece | None = None
    ray: str = ""  # its address, or "local"
    apart: bool = False  # in a separate process even where one is enough


def carry_out(job: Job, shards: Mapping[DataFile, Shard], way: Way) -> dict[str, Tally]:
    """The tally of each shard by its name; the same however the pieces are run."""
    tasks = [
        Task(file.name, file.where, file.size, piece.start, piece.stop)
        for file, shard in shards.items()
        for piece in shard.pieces()
    ]
    kept = _finished(job, shards, way.resume) if way.resume else None
    found = {task: tally for task in tasks if kept and (tally := kept.read(task)) is not None}
    open_ = [task for task in tasks if task not in found]
    for done, (task, tally) in enumerate(_run(job, open_, way), start=len(found) + 1):
        found[task] = tally
        if kept is not None:
            kept.keep(task, tally)
        if way.on_piece is not None:
            way.on_piece(done, len(tasks))
    total = {file.name: Tally() for file in shards}
    for task in tasks:
        total[task.name].add(found[task])
    return total


def _run(job: Job, tasks: Sequence[Task], way: Way) -> Iterator[tuple[Task, Tally]]:
    if way.ray and tasks:
        yield from in_ray(job, tasks, way.ray, way.jobs)
    elif tasks and (way.apart or (way.jobs > 1 and len(tasks) > 1)):
        yield from in_processes(job, tasks, min(way.jobs, len(tasks)))
    else:
        here = Measurer(job, way.tokenizer)
        yield from ((task, here.measure(task)) for task in tasks)


def _finished(job: Job, shards: Mapping[DataFile, Shard], folder: str) -> FinishedPieces:
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"resume {folder!r}: {error.strerror}") from error
    return FinishedPieces(
        path, job, {file.name: digest_of(file, shard) for file, shard in shards.items()}
    )


def digest_of(file: DataFile, shard: Shard) -> str:
    """One digest of the files of a shard: their names and bytes."""
    digest = hashlib.sha256()
    for name in shard.info.files:
        one = file if name == file.name else file.sibling(name.rpartition("/")[2])
        if one is None:
            raise UnreadableError(f"{name}: is there no more")
        digest.update(
            f"{name}\0{one.size}\0{file_digest(one)}\0".encode("utf-8", "surrogateescape")
        )
    return digest.hexdigest()


def file_digest(file: DataFile) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    with file.open() as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()  # type: ignore[arg-type]
