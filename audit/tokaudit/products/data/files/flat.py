"""Ids of one type stored consecutively in a file, read in bounded parts.

A worker may have them mapped into memory: a file that becomes shorter while it is read then ends
that process, which is tried again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

from tokaudit.foundation.errors import UnreadableError
from tokaudit.products.data.files import Piece
from tokaudit.products.data.files.batch import MOST_IDS, Batch, Columns, ShardInfo, numpy
from tokaudit.products.data.files.files import DataFile

if TYPE_CHECKING:
    from numpy.typing import NDArray

IDS_OF_A_PIECE = 1 << 23
DOCUMENTS_OF_A_PIECE = 1 << 18

Cuts = Callable[[int, int], "NDArray[Any]"]


class Numbers(Protocol):
    """Numbers of one type; any part can be read."""

    @property
    def count(self) -> int:
        """Return their count."""
        ...

    def read(self, start: int, stop: int) -> NDArray[Any]:
        """Read the numbers in `[start, stop)`; raise `UnreadableError` on failure."""
        ...


@dataclass(frozen=True)
class FlatArray:
    """An array of one type from a byte offset of a file."""

    file: DataFile
    dtype: str
    start: int
    count: int

    @property
    def width(self) -> int:
        """Return the bytes of one number."""
        return int(numpy().dtype(self.dtype).itemsize)

    def read(self, start: int, stop: int) -> NDArray[Any]:
        """Read the numbers in `[start, stop)`; raise `UnreadableError` if the file has fewer."""
        np, width = numpy(), self.width
        begin, size = self.start + start * width, (stop - start) * width
        get = self.file.read if begin % width else self.file.view  # a copy is where numbers may be
        data = get(begin, size)
        if len(data) != size:
            raise UnreadableError(f"{self.file.name}: became shorter while it was read")
        found: NDArray[Any] = np.frombuffer(data, self.dtype)
        return found

    def chunks(self) -> Iterator[tuple[int, NDArray[Any]]]:
        """Yield the whole array in bounded parts, each with its index."""
        for start in range(0, self.count, MOST_IDS):
            yield start, self.read(start, min(start + MOST_IDS, self.count))


@dataclass(frozen=True)
class FlatShard:
    """Ids in one flat array; `cuts(i, j)` gives the bounds of documents from i up to j.

    Without `cuts` nothing states where documents end, and the separator decides.  `columns`, by
    the fields of `Columns`, are as long as the ids.
    """

    info: ShardInfo
    array: Numbers
    cuts: Cuts | None = None
    columns: Mapping[str, Numbers] = field(default_factory=dict)

    def pieces(self) -> Sequence[Piece]:
        """Split into fixed numbers of documents, or of ids if documents have no number."""
        whole = self.info.documents if self.cuts else self.array.count
        step = IDS_OF_A_PIECE
        if self.cuts:  # of about so many ids
            step = min(step * whole // max(1, self.array.count), DOCUMENTS_OF_A_PIECE) or 1
        return [Piece(start, min(start + step, whole)) for start in range(0, whole, step)]

    def batches(self, piece: Piece, separator: int | None) -> Iterator[Batch]:
        """Yield the ids of a piece."""
        if self.cuts is None:
            return self._split(piece, separator)
        return self._stated(piece, self.cuts(piece.start, piece.stop))

    def _stated(self, piece: Piece, cuts: NDArray[Any]) -> Iterator[Batch]:
        """Yield batches of whole documents, and parts of longer ones."""
        start, last = 0, len(cuts) - 1
        while start < last:
            room = cuts[start] + MOST_IDS
            stop = int(numpy().searchsorted(cuts, room, "right")) - 1
            if stop > start:
                yield self._batch(cuts[start : stop + 1], piece.start + start)
                start = stop
            else:
                yield from self._parts(int(cuts[start]), int(cuts[start + 1]), piece.start + start)
                start += 1

    def _parts(self, begin: int, end: int, number: int) -> Iterator[Batch]:
        for at, stop in pairwise([*range(begin, end, MOST_IDS), end]):
            edges = numpy().array([at, stop])
            yield self._batch(edges, number, opens=at == begin, closes=stop == end)

    def _batch(
        self, cuts: NDArray[Any], number: int, *, opens: bool = True, closes: bool = True
    ) -> Batch:
        start, stop = int(cuts[0]), int(cuts[-1])
        columns = {name: each.read(start, stop) for name, each in self.columns.items()}
        ids, ends = self.array.read(start, stop), cuts[1:] - start
        return Batch(ids, ends, number, start, opens, closes, Columns(**columns))

    def _split(self, piece: Piece, separator: int | None) -> Iterator[Batch]:
        """Yield batches of fixed size, cut into documents at each separator."""
        np = numpy()
        leads = separator is not None and self.array.count > 0
        leads = leads and int(self.array.read(0, 1)[0]) == separator
        for start in range(piece.start, piece.stop, MOST_IDS):
            stop = min(start + MOST_IDS, piece.stop)
            before = start - (start > 0)
            after = stop + (stop < self.array.count)
            around = self.array.read(before, after)
            ids = around[start - before : stop - before]
            found = np.flatnonzero(ids == separator) if separator is not None else ids[:0]
            ends = found[found > 0] if leads else found[found < len(ids) - 1] + 1
            opens, closes = start == 0, stop == self.array.count
            if separator is not None:
                opens = opens or int(ids[0] if leads else around[0]) == separator
                closes = closes or int(around[-1] if leads else ids[-1]) == separator
            yield Batch(ids, np.append(ends, len(ids)), -1, start, opens, closes)


def of_rows(length: int) -> Cuts | None:
    """Return the bounds of rows of one length; None for a single row."""

    def cuts(first: int, last: int) -> NDArray[Any]:
        return numpy().arange(first, last + 1, dtype="i8") * length  # type: ignore[no-any-return]

    return cuts if length else None
