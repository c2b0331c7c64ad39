"""Held-out documents, and how well the trained tokenizer compresses them.

Which documents these are depends on their bytes alone: the same document is never on both sides,
and the choice does not change with the order of the files.  A document ends with a special token,
or with its line where a file holds none.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

from tokaudit.engine.corpus.documents import batches
from tokaudit.engine.measure import interval
from tokaudit.foundation.errors import UnreadableError
from tokaudit.foundation.leftovers import temporary
from tokaudit.products.compare.replacing.counts import blocks
from tokaudit.report.comparison import Rate
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit_reference.training.words import without

WHOLE = 1 << 64


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Figures of a tokenizer on held-out documents."""

    documents: int
    bytes: int
    tokens: int
    bytes_per_token: Rate


@dataclass(frozen=True, slots=True)
class Split:
    """Files to train on, and held-out files."""

    training: list[Path]
    held: list[Path]


@contextmanager
def split_corpus(
    files: Sequence[Path], share: float, special: Sequence[str], folder: Path
) -> Iterator[Split]:
    """Split the corpus into two temporary copies.

    Raises `UnreadableError` for what is not UTF-8, and where one side has no document.
    """
    with temporary(folder):
        folder.mkdir(0o700)
        found, counts = Split([], []), [0, 0]
        for number, file in enumerate(files):
            parts = folder / f"{number}-trained", folder / f"{number}-held"
            with parts[0].open("wb") as training, parts[1].open("wb") as held:
                for at, count in enumerate(_shared_out(file, share, special, (training, held))):
                    counts[at] += count
            found.training.append(parts[0])
            found.held.append(parts[1])
        if 0 in counts:
            which = "to train on" if not counts[0] else "to hold out"
            raise UnreadableError(
                f"at a held-out share of {share:g}, none of the {sum(counts):,} documents is left "
                f"{which}; give another share, or more documents"
            )
        yield found


def _shared_out(
    file: Path, share: float, special: Sequence[str], out: tuple[BinaryIO, BinaryIO]
) -> tuple[int, int]:
    counts = [0, 0]
    start = 0
    for document in _documents(file, special):
        _refuse_other_text(file, start, document)
        start += len(document)
        at = int(int.from_bytes(blake2b(document, digest_size=8).digest()) < share * WHOLE)
        out[at].write(document)
        counts[at] += 1
    return counts[0], counts[1]


def _documents(file: Path, special: Sequence[str]) -> Iterator[bytes]:
    """Yield the documents of a file, each with its separator."""
    longest_first = sorted(filter(None, special), key=len, reverse=True)
    ends = b"|".join(re.escape(token.encode()) for token in longest_first)
    with file.open("rb") as opened:
        if not file.stat().st_size:
            return
        with mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
            by = ends if ends and re.search(ends, data) else b"\n"
            start = 0
            for end in re.finditer(by, data):
                yield data[start : end.end()]
                start = end.end()
            if start < len(data):
                yield data[start:]


def _refuse_other_text(file: Path, start: int, document: bytes) -> None:
    try:
        document.decode()
    except UnicodeDecodeError as error:
        raise UnreadableError(
            f"{file}: is not UTF-8: byte 0x{document[error.start]:02x} at offset "
            f"{start + error.start}; convert the file first"
        ) from error


def measured(encoder: WorkerTokenizer, files: Iterable[Path], special: Sequence[str]) -> HeldOut:
    """Measure bytes per token of documents, without special tokens, with a 95 % interval."""
    sizes: list[int] = []
    tokens: list[int] = []
    documents = (
        text
        for file in files
        for document in _documents(file, special)
        if (text := "".join(without(special, document.decode())))
    )
    for batch in batches(documents):
        for text, made in zip(batch, encoder.encode(batch), strict=True):
            if made.error is None:
                sizes.append(len(text.encode()))
                tokens.append(len(made.ids))
    at = range(len(sizes))
    rate = sum(sizes) / (sum(tokens) or 1)
    between = interval(blocks(sizes, at), blocks(tokens, at), 0)
    return HeldOut(len(sizes), sum(sizes), sum(tokens), Rate(rate, between))
