"""Count ids, boundaries and contents of documents, one batch at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tokaudit.products.data.files.batch import Batch, ShardInfo, UnlikeLabels, numpy
from tokaudit.products.data.ids.counts.tally import MOST_SPOTS, Sign, Spot, Tally
from tokaudit.products.data.ids.plan import END, HOLE, PAD, RESERVED, UNKNOWN, Expected

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEW = 16  # ids of a role
AROUND = 8  # ids shown on either side of a place
INSIDE = {UNKNOWN: Sign.UNKNOWN, RESERVED: Sign.RESERVED, HOLE: Sign.HOLE}


@dataclass
class Documents:
    """The documents of a batch as arrays: starts, stops, and roles of ids."""

    batch: Batch
    expected: Expected
    info: ShardInfo
    counted: NDArray[Any] | None = None  # how often each id is there
    all_known: bool = False  # no id is outside of the vocabulary
    lowest: int = 0
    highest: int = -1
    _many: dict[int, int] = field(default_factory=dict)

    def how_many(self, bits: int) -> int:
        """Count the ids of a role."""
        if bits not in self._many:
            known = numpy().flatnonzero(self.expected.flags[:-1] & bits)
            self._many[bits] = self._how_many(known)
        return self._many[bits]

    def _how_many(self, known: NDArray[Any]) -> int:
        """Count the ids in a set, comparing one by one if there are few."""
        np, ids = numpy(), self.batch.ids
        if self.counted is not None:
            return int(self.counted[known].sum())
        known = known[(known >= self.lowest) & (known <= self.highest)]
        if len(known) > FEW:
            return int(np.isin(ids, known).sum())
        return sum(int(np.count_nonzero(ids == id)) for id in known.astype(ids.dtype))

    def roles(self, places: NDArray[Any]) -> NDArray[Any]:
        """Return the roles of the ids at some places only."""
        np, size = numpy(), self.expected.size
        ids = self.batch.ids[places]
        if self.all_known:
            return self.expected.flags[ids]  # type: ignore[no-any-return]
        return self.expected.flags[np.where((ids < 0) | (ids >= size), size, ids)]  # type: ignore[no-any-return]

    @cached_property
    def stops(self) -> NDArray[Any]:
        """Return the end of each document."""
        found: NDArray[Any] = self.batch.ends.astype("i8")
        return found

    @cached_property
    def starts(self) -> NDArray[Any]:
        """Return the start of each document."""
        np = numpy()
        return np.concatenate([np.zeros(1, "i8"), self.stops[:-1]])  # type: ignore[no-any-return]

    @cached_property
    def flags(self) -> NDArray[Any]:
        """Return the role of each id."""
        np, size = numpy(), self.expected.size
        ids = self.batch.ids
        if not self.all_known and len(ids):
            ids = np.where((ids < 0) | (ids >= size), size, ids)
        return self.expected.flags[ids]  # type: ignore[no-any-return]

    def spot(self, place: int) -> Spot:
        """Return a place in the batch in the form of a report."""
        batch = self.batch
        at = int(numpy().searchsorted(self.stops, place, "right"))
        first = max(0, place - AROUND)
        ids = tuple(batch.ids[first : place + AROUND].tolist())
        if batch.first < 0:
            return Spot(self.info.name, -1, batch.offset + place, ids, place - first)
        offset = place - int(self.starts[min(at, len(self.starts) - 1)])
        return Spot(self.info.name, batch.first + at, offset, ids, place - first)

    def spots(self, places: NDArray[Any]) -> Iterator[Spot]:
        """Yield the first few places."""
        return map(self.spot, places[:MOST_SPOTS].tolist())

    def rows(self, unlike: Sequence[UnlikeLabels]) -> Iterator[Spot]:
        """Yield the first few rows with more or fewer labels than ids, with both counts."""
        for each in unlike[:MOST_SPOTS]:
            counts = f"{each.labels:,} for {each.ids:,} ids"
            yield Spot(self.info.name, each.document, 0, text=counts)


@dataclass
class Counter:
    """Counts the batches of one piece into a tally."""

    expected: Expected
    info: ShardInfo
    histogram: bool = True  # whether to count how often each id is there
    tally: Tally = field(default_factory=Tally)
    _histogram: NDArray[Any] | None = None

    def take(self, batch: Batch) -> Documents:
        """Count a batch, and return its documents for further use."""
        documents = Documents(batch, self.expected, self.info)
        if batch.faults:
            faults = [(f.cause, f.message, f.file, f.document) for f in batch.faults]
            self.tally.add(Tally(faults=tuple(faults[:MOST_SPOTS]), faulty=len(faults)))
        if batch.unlike:
            self.tally.note(Sign.LABELS_UNLIKE, len(batch.unlike), documents.rows(batch.unlike))
        if len(batch.ids):
            present = self._ids(documents)
            if present & (PAD | UNKNOWN | RESERVED | HOLE):
                self._inside(documents, present)
        self._lengths(documents)
        return documents

    def _ids(self, documents: Documents) -> int:
        """Count the ids, and return the roles that occur."""
        np, ids = numpy(), documents.batch.ids
        high = int(ids.max())
        low = 0 if ids.dtype.kind == "u" else int(ids.min())
        documents.highest, documents.lowest = high, low
        self.tally.ids += len(ids)
        self.tally.highest = max(self.tally.highest, high)
        size, rows = self.expected.size, self.expected.rows
        known = ids
        if high >= size or low < 0:
            wrong = np.flatnonzero((ids >= size) | (ids < 0))
            self.tally.note(Sign.OUTSIDE, len(wrong), documents.spots(wrong))
            known = ids[(ids < size) & (ids >= 0)]
        if rows and high >= rows:
            wrong = np.flatnonzero(ids >= rows)
            self.tally.note(Sign.NO_ROW, len(wrong), documents.spots(wrong))
        documents.all_known = known is ids
        if not self.histogram:
            return 0
        counted = np.bincount(known, minlength=size)
        self._histogram = counted if self._histogram is None else self._histogram + counted
        documents.counted = counted
        return int(np.bitwise_or.reduce(self.expected.flags[:size][counted > 0], initial=0))

    def _inside(self, documents: Documents, present: int) -> None:
        np, flags = numpy(), documents.flags
        for bit, sign in INSIDE.items():
            if present & bit:
                places = np.flatnonzero((flags & bit) != 0)
                self.tally.note(sign, len(places), documents.spots(places))
        if present & PAD:
            pads = np.flatnonzero((flags & PAD > 0) & (flags & END == 0))
            first, last = edges(documents, flags & PAD > 0)
            own = np.searchsorted(documents.stops, pads, "right")
            inside = pads[(pads > first[own]) & (pads < last[own])]
            self.tally.note(Sign.PAD_INSIDE, len(inside), documents.spots(inside))

    def _lengths(self, documents: Documents) -> None:
        np, batch = numpy(), documents.batch
        lengths = documents.stops - documents.starts
        whole = np.ones(len(lengths), bool)
        whole[:1] &= batch.opens
        whole[-1:] &= batch.closes
        self.tally.documents += int(len(lengths) - (not batch.closes))
        sizes = np.bincount(_floor_of_log2(lengths[whole]))
        for bucket in np.flatnonzero(sizes).tolist():
            self.tally.lengths[bucket] = self.tally.lengths.get(bucket, 0) + int(sizes[bucket])
        named = {each.document - batch.first for each in batch.faults}
        empty = [at for at in np.flatnonzero(whole & (lengths == 0)).tolist() if at not in named]
        spots = [Spot(self.info.name, batch.first + at, 0) for at in empty[:MOST_SPOTS]]
        self.tally.note(Sign.EMPTY, len(empty), spots)

    def done(self) -> Tally:
        """Return the tally, with the frequency of each id."""
        if self._histogram is not None:
            there = numpy().flatnonzero(self._histogram)
            counts = self._histogram[there].tolist()
            self.tally.counts = dict(zip(there.tolist(), counts, strict=True))
        return self.tally


def _floor_of_log2(lengths: NDArray[Any]) -> NDArray[Any]:
    """Return the base-2 exponents of lengths; 0 for a length of 0.

    >>> _floor_of_log2(numpy().array([0, 1, 2, 3, 4, 1023, 1024])).tolist()
    [0, 0, 1, 1, 2, 9, 10]
    """
    found = (lengths.astype("f8").view("i8") >> 52) - 1023
    return numpy().maximum(found, 0)  # type: ignore[no-any-return]


def edges(documents: Documents, ignored: NDArray[Any] | None) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the first and last place of each document that is not ignored."""
    np = numpy()
    nowhere = len(documents.batch.ids) + 1
    if ignored is None or not ignored.any():
        there = documents.stops > documents.starts
        return (
            np.where(there, documents.starts, nowhere),
            np.where(there, documents.stops - 1, -1),
        )
    kept = np.flatnonzero(~ignored)
    first = np.searchsorted(kept, documents.starts)
    last = np.searchsorted(kept, documents.stops) - 1
    there = (first <= last) & (documents.stops > documents.starts)
    padded = np.append(kept, 0)
    begin = np.where(there, padded[np.minimum(first, len(kept))], nowhere)
    end = np.where(there, padded[np.clip(last, 0, len(kept))], -1)
    return begin, end
