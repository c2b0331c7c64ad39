"""Compares two encoders on a user's own documents, in constant memory.

A document is a line of a text file, a line of JSON (a string, or an object with a `text` or
`content`), or a row of Parquet with such a column.  Both sides encode the same batches at the same
time.  What travels is the number of ids and a digest; the ids themselves are asked for the worst
documents alone.
"""

from __future__ import annotations

import heapq
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import msgspec

from tokaudit.comparison.corpus.parquet import library, rows
from tokaudit.comparison.evidence import TokenRow, two_rows
from tokaudit.comparison.texts.shrink import minimise
from tokaudit.foundation.errors import UnreadableError
from tokaudit.report.comparison import CorpusSlice
from tokaudit.report.model import Evidence
from tokaudit.runtimes.protocol import EncodeOptions, Encoding
from tokaudit.subject.content import regular

JSON_LINES = (".jsonl", ".ndjson")
PARQUET = (".parquet", ".pq")
FIELDS = ("text", "content")
LONGEST_LINE = 4_000_000  # bytes; a longer line is several documents
DOCUMENTS, CHARACTERS = 512, 500_000  # of a batch
SHOWN = 3  # worst documents of a file
LONGEST_SHRUNK = 4_000  # characters of a document that is shrunk as a whole


class DigestEncoder(Protocol):
    """An encoder that can give digests of ids instead of ids."""

    def digests(self, texts: Sequence[str]) -> list[tuple[int, str] | None]:
        """For each text the number of ids and a digest of them."""
        ...

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """One encoding for each text."""
        ...


@dataclass(frozen=True)
class CorpusSide:
    """What encodes the documents on one side, and how its tokens are named."""

    name: str
    encoder: DigestEncoder
    names: Mapping[int, str]


def require_readers(paths: Iterable[Path]) -> None:
    """Raises `UsageError` where a file is Parquet and nothing is installed that reads it."""
    if any(file.suffix.lower() in PARQUET for path in paths for file in files_in(path)):
        library()


def documents(path: Path) -> Iterator[str]:
    """The documents of a file, or of all in a folder, one at a time.

    Raises `UnreadableError` for what has no text.
    """
    if path.is_dir():
        for file in files_in(path):
            yield from documents(file)
        return
    if path.suffix.lower() in PARQUET:
        yield from rows(path, FIELDS, DOCUMENTS)
        return
    as_json = path.suffix.lower() in JSON_LINES
    with io.BufferedReader(regular(path, str(path))) as lines:  # type: ignore[type-var]
        number = 0
        while line := lines.readline(LONGEST_LINE):
            number += 1
            if line.strip():
                yield _of_json(line, path, number) if as_json else _text(line)


def files_in(path: Path) -> list[Path]:
    """A file itself, or the files of a folder in the order of names, without hidden ones."""
    if not path.is_dir():
        return [path]
    found = (file for file in path.rglob("*") if file.is_file())
    seen = (file for file in found if not any(p[0] == "." for p in file.relative_to(path).parts))
    return sorted(seen)


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r\n")


def _of_json(line: bytes, path: Path, number: int) -> str:
    try:
        value: Any = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableError(f"{path}: line {number} is not JSON: {error}") from error
    if isinstance(value, dict):
        value = next((value[name] for name in FIELDS if name in value), None)
    if not isinstance(value, str):
        raise UnreadableError(
            f"{path}: line {number} has no text: expected a string, text or content"
        )
    return value


def batches(texts: Iterator[str]) -> Iterator[list[str]]:
    """Documents in groups of bounded number and length."""
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


@dataclass
class _Counted:
    documents: int = 0
    different: int = 0
    failed: int = 0
    characters: int = 0
    left: int = 0
    right: int = 0
    worst: list[tuple[int, int, str]] = field(default_factory=list)  # a heap, the mildest first

    def take(self, text: str, one: tuple[int, str] | None, other: tuple[int, str] | None) -> None:
        self.documents += 1
        self.characters += len(text)
        if one is None or other is None:
            self.failed += 1
            return
        self.left += one[0]
        self.right += other[0]
        if one != other:
            self.different += 1
            push = heapq.heappush if len(self.worst) < SHOWN else heapq.heappushpop
            push(self.worst, (abs(one[0] - other[0]), -self.documents, text))


def compare_corpus(path: Path, left: CorpusSide, right: CorpusSide, run_by: str) -> CorpusSlice:
    """How the documents of one file compare, by ids."""
    counted = _Counted()
    with ThreadPoolExecutor(2) as both:
        for batch in batches(documents(path)):
            ours, theirs = both.map(lambda side: side.encoder.digests(batch), (left, right))  # noqa: B023
            for text, one, other in zip(batch, ours, theirs, strict=True):
                counted.take(text, one, other)
    worst = [
        shown
        for _, at, text in sorted(counted.worst, reverse=True)
        if (shown := _shown(text, -at, left, right, run_by)) is not None
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


def _shown(
    text: str, number: int, left: CorpusSide, right: CorpusSide, run_by: str
) -> Evidence | None:
    """A minimal text out of a document that differs."""

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
    return two_rows(minimal, one, other, f"out of document {number:,}; run by {run_by}")
