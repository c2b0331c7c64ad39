"""Add up the counts of pieces, on disk if memory does not suffice.

The total is exact and in the order of first appearance, which is by file and place and not by which
piece came back first.  What goes to disk are runs: words in order with their counts, which are
merged once by word, and once more by first appearance.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import msgspec

MOST_HELD = 5_000_000  # words in memory, about 1 GB
PLACES = 1 << 40  # of words in a piece, so that a piece and a place are one number

Row = tuple[str, int, int]  # a word, how often it occurs, and where it was first


class WordTotals:
    """Counts of all pieces; `folder` is created when the first run is written."""

    def __init__(self, folder: Path, most: int = MOST_HELD) -> None:
        self._folder, self._most = folder, most
        self._counts: dict[str, int] = {}
        self._first: dict[str, int] = {}
        self._runs: list[Path] = []
        self._latest, self._in_order, self._made = -1, True, 0

    def add(self, piece: int, counts: Mapping[str, int]) -> None:
        """Add the counts of a piece, in the order of first appearance."""
        held, first, begin = self._counts, self._first, piece * PLACES
        self._in_order &= piece > self._latest
        self._latest = max(self._latest, piece)
        for place, (word, count) in enumerate(counts.items(), begin):
            if word not in held:
                held[word], first[word] = count, place
                continue
            held[word] += count
            if place < first[word]:
                first[word] = place
        if len(held) > self._most:
            self._spill()

    def words(self) -> Iterator[tuple[str, int]]:
        """Yield each word with its count, in the order of first appearance; call it once."""
        if self._runs:
            self._spill()
            merged = heapq.merge(*map(_rows, self._by_place()), key=itemgetter(2))
            yield from ((word, count) for word, count, _ in merged)
        elif self._in_order:
            yield from self._counts.items()
        else:
            order = sorted(self._counts, key=self._first.__getitem__)
            yield from ((word, self._counts[word]) for word in order)

    def _spill(self) -> None:
        """Write the counts in memory as a run in the order of words."""
        held, first = self._counts, self._first
        self._runs.append(self._written((word, held[word], first[word]) for word in sorted(held)))
        self._counts, self._first = {}, {}

    def _by_place(self) -> list[Path]:
        """Merge the runs by word, as runs in the order of first appearance."""
        made: list[Path] = []
        merged = heapq.merge(*map(_rows, self._runs), key=itemgetter(0))
        rows: list[Row] = []
        for word, same in groupby(merged, key=itemgetter(0)):
            each = list(same)
            rows.append((word, sum(row[1] for row in each), min(row[2] for row in each)))
            if len(rows) >= self._most:
                made.append(self._written(sorted(rows, key=itemgetter(2))))
                rows = []
        made.append(self._written(sorted(rows, key=itemgetter(2))))
        for run in self._runs:
            run.unlink()
        return made

    def _written(self, rows: Iterable[Row]) -> Path:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        path, self._made = self._folder / f"{self._made}.run", self._made + 1
        encode = msgspec.json.Encoder().encode
        with path.open("wb") as file:
            for row in rows:
                file.write(encode(row) + b"\n")
        return path


def _rows(path: Path) -> Iterator[Row]:
    decode = msgspec.json.Decoder(Row).decode
    with path.open("rb") as file:
        yield from map(decode, file)
