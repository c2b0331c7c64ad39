"""Draws documents by hash, and cuts them into the texts between ids that begin, end and pad."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

from tokaudit.runtimes.ids.counts.counting import Documents
from tokaudit.runtimes.ids.counts.full_rows import going_on
from tokaudit.runtimes.ids.counts.masks import unmasked
from tokaudit.runtimes.ids.counts.ranks import count_own
from tokaudit.runtimes.ids.counts.tally import Sign, Spot, Tally
from tokaudit.runtimes.ids.documents.causes import Difference, Segment
from tokaudit.runtimes.ids.documents.judging import OWN, judge
from tokaudit.runtimes.ids.isolating import Ranges
from tokaudit.runtimes.ids.plan import BEGIN, END, HOLE, OUTSIDE, PAD, UNKNOWN, Plan
from tokaudit.runtimes.protocol import Tokenizer
from tokaudit.subject.data.batch import numpy

if TYPE_CHECKING:
    from numpy.typing import NDArray

EDGES = BEGIN | END | PAD  # ids around texts
WITHOUT_TEXT = UNKNOWN | HOLE | OUTSIDE
LONGEST = 4096  # ids of a text; what follows is left out, and its end may be cut
MOST_TEXTS = 256  # of a document
AT_ONCE = 200_000  # ids that are decoded together
WORST_FIRST = (
    Sign.OTHER,
    Sign.TWO_WAYS,
    Sign.NOT_UTF8,
    Sign.NORMALIZED,
    Sign.SPECIAL_AS_TEXT,
    Sign.SAMPLED,
    Sign.CUT,
    Sign.UNDECIDED,
    Sign.OWN,
)


@dataclass
class DrawnDocuments:
    """Collects the segments of drawn documents, and judges them when there are enough."""

    plan: Plan
    tokenizer: Tokenizer
    tally: Tally
    left_out: Ranges = ()
    _turn: int = 0
    _waiting: list[tuple[Documents, int, list[Segment]]] = field(default_factory=list)
    _held: int = 0

    def take(self, documents: Documents) -> None:
        """Draw from the documents of a batch."""
        documents = unmasked(documents)
        np, batch, info = numpy(), documents.batch, documents.info
        keys = documents.starts + batch.offset
        if batch.first >= 0:
            keys = np.arange(len(documents.starts)) + batch.first
        chosen = self.plan.draw.drawn(info.name, keys)
        chosen[:1] &= batch.opens
        chosen[-1:] &= batch.closes
        places = np.flatnonzero(chosen & (documents.stops > documents.starts))
        if not len(places):
            return
        starts, stops = documents.starts[places].tolist(), documents.stops[places].tolist()
        cut_starts = going_on(documents)[places].tolist()
        edges, blanks = _Marks(documents, EDGES, places), _Marks(documents, WITHOUT_TEXT, places)
        for at, (start, stop) in enumerate(zip(starts, stops, strict=True)):
            if self._is_left_out():
                self.tally.note(Sign.KILLS, 1, [documents.spot(start)])
                continue
            cut = batch.prompts[int(places[at])] if batch.prompts else 0
            ids = tuple(batch.ids[start:stop].tolist())
            found = _segments(cut_starts[at], ids, edges.of(at, start), blanks.of(at, start), cut)
            self._waiting.append((documents, start, found))
            self._held += stop - start
            if self._held >= AT_ONCE:
                self.finish()

    def _is_left_out(self) -> bool:
        """Whether the tokenizer is not asked about the next document."""
        turn, self._turn = self._turn, self._turn + 1
        return any(first <= turn < last for first, last in self.left_out)

    def finish(self) -> None:
        """Judge what waits."""
        waiting, self._waiting, self._held = self._waiting, [], 0
        segments = [segment for _, _, found in waiting for segment in found]
        judged = iter(judge(segments, self.tokenizer, self.tally))
        own, encodings = 0, []
        for documents, start, found in waiting:
            if not found:
                continue
            signs = list(islice(judged, len(found)))
            encodings += [
                documents.batch.ids[start + segment.place :][: len(segment.ids)]
                for segment, sign in zip(found, signs, strict=True)
                if sign.sign is Sign.OWN
            ]
            self.tally.drawn += 1
            if all(each is OWN or each.sign is Sign.OWN for each in signs):
                own += 1
                continue
            worst = min(signs, key=lambda each: WORST_FIRST.index(each.sign))
            at = found[signs.index(worst)].place if worst.own or worst.ids else 0
            self.tally.note(worst.sign, 1, [_spot(documents, start + at, worst)])
        self.tally.note(Sign.OWN, own)
        count_own(encodings, self.tally)


class _Marks:
    """The ids of some roles in documents of a batch, looked for in all of them at once."""

    def __init__(self, documents: Documents, bits: int, places: NDArray[Any]) -> None:
        np = numpy()
        marked = np.flatnonzero(documents.flags & bits)
        self._marked: list[int] = marked.tolist()
        ends = documents.starts[places], documents.stops[places]
        self._first, self._last = (np.searchsorted(marked, each).tolist() for each in ends)

    def of(self, at: int, start: int) -> list[int]:
        """Where they are in one of the documents, from its beginning."""
        first, last = self._first[at], self._last[at]
        return [each - start for each in self._marked[first:last]] if first < last else []


def _segments(
    cut_start: bool, ids: tuple[int, ...], edges: list[int], blanks: list[int], prompt: int
) -> list[Segment]:
    """The texts of a document: what is between ids that begin, end and pad."""
    found, begin = [], 0
    for stop in [*edges, len(ids)]:
        cuts = [begin, prompt, stop] if begin < prompt < stop else [begin, stop]
        for first, last in pairwise(cuts):
            text = ids[first : min(last, first + LONGEST)]
            if text:
                found.append(
                    Segment(
                        first,
                        text,
                        readable=bisect_left(blanks, first) == bisect_left(blanks, last),
                        open_start=cut_start and first == 0,
                        open_end=last in (len(ids), prompt) or len(text) < last - first,
                        sampled=bool(prompt) and first >= prompt,
                        first=first == 0,
                    )
                )
        if len(found) >= MOST_TEXTS:
            break
        begin = stop + 1
    return found[:MOST_TEXTS]


def _spot(documents: Documents, place: int, found: Difference) -> Spot:
    spot = documents.spot(place + found.offset)
    return Spot(spot.shard, spot.document, spot.offset, found.ids, 0, found.own, found.text)
