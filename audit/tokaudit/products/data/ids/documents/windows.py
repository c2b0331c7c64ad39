"""Units to check: documents, and windows of long or endless ones.

A stream without ends is one document of any length.  Windows lie at fixed places of a shard, so
that they are the same however it is read, and each is cut where no merge crosses: between words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tokaudit.products.data.files.batch import numpy
from tokaudit.products.data.ids.counts.counting import Documents
from tokaudit.products.data.ids.counts.full_rows import going_on
from tokaudit.products.data.ids.documents.letters import AT_END, INSIDE, Letters
from tokaudit.products.data.ids.plan import END, Draw

if TYPE_CHECKING:
    from numpy.typing import NDArray

LONGEST = 4096  # ids of a document that is judged as a whole
WINDOW = 1024  # ids of a part of a longer one
SHORTEST = 64  # ids of such a part
SEARCHED = 64  # ids from either end of a window, among which a word begins
WORD_MARKS = "\u2581\u0120 "
MANY_INSIDE = 100  # entries with the mark of WordPiece, from which on words begin without one


@dataclass(frozen=True, slots=True, order=True)
class Unit:
    """A document or window in a batch, and which of its ends is in mid-text."""

    start: int
    stop: int
    place: int = 0  # of its document
    open_start: bool = False
    open_end: bool = False
    window: bool = False
    joined: bool = False  # texts may meet without an end


def drawn_units(documents: Documents, draw: Draw, words: WordStarts) -> list[Unit]:
    """Return the sampled units of a batch, in order."""
    np, batch = numpy(), documents.batch
    lengths = documents.stops - documents.starts
    short = (lengths <= LONGEST) & (lengths > 0)
    short[:1] &= batch.opens
    short[-1:] &= batch.closes
    keys = documents.starts + batch.offset
    if batch.first >= 0:
        keys = np.arange(len(documents.starts)) + batch.first
    places = np.flatnonzero(short & draw.drawn(documents.info, keys))
    joined = _joined(documents)
    edges = (places, documents.starts[places], documents.stops[places], going_on(documents)[places])
    found = [
        Unit(start, stop, place, open_start=cut, joined=joined, open_end=True)
        for place, start, stop, cut in zip(*(each.tolist() for each in edges), strict=True)
    ]
    for place in np.flatnonzero(lengths > LONGEST).tolist():
        found += _windows(documents, place, draw, words, joined=joined)
    return sorted(found)


def _joined(documents: Documents) -> bool:
    """Return whether neither format nor ids show where documents end."""
    return not documents.info.bounded and not documents.how_many(END)


def _windows(
    documents: Documents, place: int, draw: Draw, words: WordStarts, *, joined: bool
) -> Iterator[Unit]:
    """Yield the sampled windows of a long document."""
    np, batch = numpy(), documents.batch
    start, stop = int(documents.starts[place]), int(documents.stops[place])
    if batch.offset >= 0:
        first = -(-(batch.offset + start + 1) // WINDOW) * WINDOW - batch.offset
        cuts = np.unique(np.r_[start, np.arange(first, stop, WINDOW), stop])
        keys = cuts[:-1] + batch.offset
    else:
        cuts = np.unique(np.r_[np.arange(start, stop, WINDOW), stop])
        keys = (cuts[:-1] - start) + ((batch.first + place) << 32)
    chosen = draw.drawn(documents.info, keys) & (np.diff(cuts) >= SHORTEST)
    begins, ends = place > 0 or batch.opens, place < len(documents.stops) - 1 or batch.closes
    for at in np.flatnonzero(chosen).tolist():
        left, right = int(cuts[at]), int(cuts[at + 1])
        whole_start, whole_end = left == start and begins, right == stop and ends
        left, right = words.between(batch.ids, left, right, not whole_start, not whole_end)
        yield Unit(left, right, place, not whole_start, True, True, joined)


class WordStarts:
    """Finds word boundaries by the names of tokens."""

    def __init__(self, letters: Letters) -> None:
        self._letters = letters

    @cached_property
    def _wordpiece(self) -> bool:
        names = self._letters.names.values()
        return sum(isinstance(n, str) and n.startswith(INSIDE) for n in names) >= MANY_INSIDE

    def between(
        self, ids: NDArray[Any], start: int, stop: int, cut_start: bool, cut_stop: bool
    ) -> tuple[int, int]:
        """Return the window between the word boundaries next to its ends, if any."""
        first = ids[start : start + SEARCHED].tolist() if cut_start else []
        last = ids[max(start, stop - SEARCHED) : stop].tolist() if cut_stop else []
        left = next((at for at in range(1, len(first)) if self.at(first, at)), 0)
        right = next((at for at in reversed(range(1, len(last))) if self.at(last, at)), len(last))
        return start + left, stop - len(last) + right

    def at(self, ids: Sequence[int], place: int) -> bool:
        """Return whether a word begins at an id."""
        before, after = self._name(ids[place - 1]), self._name(ids[place])
        if not before or not after:
            return False
        if self._wordpiece:
            return not after.startswith(INSIDE)
        if before.endswith(AT_END):
            return True
        return before[-1:].isalnum() and after[:1] in WORD_MARKS and after[1:2].isalnum()

    def _name(self, id: int) -> str:
        name = self._letters.names.get(id, "")
        return name.decode("utf-8", "replace") if isinstance(name, bytes) else name
