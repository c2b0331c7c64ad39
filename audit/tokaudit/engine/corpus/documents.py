"""Documents of a file, and the pieces that it can be read in.

A document is a line of a text file, a line of JSON (a string, or an object with a `text` or
`content`), or a row of Parquet with such a column.  A line is of the piece in which it begins.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from tokaudit.engine.corpus.parquet import groups, library, rows
from tokaudit.foundation.errors import UnreadableError
from tokaudit.shards.work import Task
from tokaudit.subject.sources import regular

JSON_LINES = (".jsonl", ".ndjson")
PARQUET = (".parquet", ".pq")
FIELDS = ("text", "content")
LONGEST_LINE = 4_000_000  # bytes; a longer line is several documents
DOCUMENTS, CHARACTERS = 512, 500_000  # of a batch
PIECE = 16 << 20  # bytes of lines


def require_readers(paths: Iterable[Path]) -> None:
    """Raise `UsageError` if a file is Parquet and no reader is installed."""
    if any(_is_parquet(file) for path in paths for file in files_in(path)):
        library()


def _is_parquet(path: Path) -> bool:
    return path.suffix.lower() in PARQUET


def files_in(path: Path) -> list[Path]:
    """Return the file itself, or a folder's visible files in order of names."""
    if not path.is_dir():
        return [path]
    found = (file for file in path.rglob("*") if file.is_file())
    seen = (file for file in found if not any(p[0] == "." for p in file.relative_to(path).parts))
    return sorted(seen)


def tasks_of(path: Path) -> list[Task]:
    """Split a file, or all files of a folder, into pieces."""
    return [task for file in files_in(path) for task in _pieces(file)]


def _pieces(path: Path) -> list[Task]:
    """Split into row groups, or into a fixed number of bytes; an empty file is one piece."""
    place = str(path.absolute())
    if _is_parquet(path):
        size, stop, step = path.stat().st_size, groups(path), 1
    else:
        with io.BufferedReader(regular(path, str(path))) as file:  # type: ignore[type-var]
            size = stop = file.seek(0, io.SEEK_END)
            step = PIECE
    starts = range(0, max(stop, 1), step)
    return [Task(str(path), place, size, start, min(start + step, stop)) for start in starts]


def documents(path: Path) -> Iterator[str]:
    """Yield the documents of a file, or of all files in a folder.

    Raises `UnreadableError` for what has no text.
    """
    for task in tasks_of(path):
        yield from documents_of(task)


def documents_of(task: Task) -> Iterator[str]:
    """Yield the documents of a piece."""
    path = Path(task.path)
    if _is_parquet(path):
        yield from rows(path, FIELDS, DOCUMENTS, range(task.start, task.stop), task.name)
        return
    as_json = path.suffix.lower() in JSON_LINES
    with io.BufferedReader(regular(path, task.name)) as lines:  # type: ignore[type-var]
        _go_to(lines, task.start)
        inside = False  # of a long line, which is read to its end
        while (place := lines.tell()) < task.stop or inside:
            if not (line := lines.readline(LONGEST_LINE)):
                return
            inside = not line.endswith(b"\n")
            if line.strip():
                yield _of_json(line, task, place) if as_json else _text(line)


def _go_to(lines: Any, start: int) -> None:
    """Seek the first line that begins at this position or later."""
    if start:
        lines.seek(start - 1)
        while (part := lines.readline(LONGEST_LINE)) and not part.endswith(b"\n"):
            continue


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r\n")


def _of_json(line: bytes, task: Task, place: int) -> str:
    try:
        value: Any = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        where = f"{task.name}: line {_number(task, place)}"
        raise UnreadableError(f"{where} is not JSON: {error}") from error
    if isinstance(value, dict):
        value = next((value[name] for name in FIELDS if name in value), None)
    if not isinstance(value, str):
        raise UnreadableError(
            f"{task.name}: line {_number(task, place)} has no text: "
            "expected a string, or an object with the key 'text' or 'content'"
        )
    return value


def _number(task: Task, place: int) -> int:
    """Return the number of the line that begins at this position."""
    number = 1
    with io.BufferedReader(regular(Path(task.path), task.name)) as lines:  # type: ignore[type-var]
        while lines.tell() < place and lines.readline(LONGEST_LINE):
            number += 1
    return number


def batches(texts: Iterator[str]) -> Iterator[list[str]]:
    """Group documents into batches of bounded number and length."""
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if len(batch) == DOCUMENTS or size >= CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
