"""Sample documents and windows by hash, and split them into texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from tokaudit.products.data.files.batch import numpy
from tokaudit.products.data.ids.counts.counting import Documents
from tokaudit.products.data.ids.counts.masks import unmasked
from tokaudit.products.data.ids.counts.ranks import count_own
from tokaudit.products.data.ids.counts.tally import Sign, Spot, Tally
from tokaudit.products.data.ids.documents.causes import Segment
from tokaudit.products.data.ids.documents.differing import Difference
from tokaudit.products.data.ids.documents.judging import OWN, judge
from tokaudit.products.data.ids.documents.letters import Letters
from tokaudit.products.data.ids.documents.moves import moves_of
from tokaudit.products.data.ids.documents.windows import Unit, WordStarts, drawn_units
from tokaudit.products.data.ids.isolating import Ranges
from tokaudit.products.data.ids.plan import BEGIN, END, HOLE, OUTSIDE, PAD, UNKNOWN, Plan
from tokaudit.runtimes.protocol import Tokenizer

if TYPE_CHECKING:
    pass

EDGES = BEGIN | END | PAD  # ids around texts
WITHOUT_TEXT = UNKNOWN | HOLE | OUTSIDE
MOST_TEXTS = 256  # of a document
AT_ONCE = 200_000  # ids that are decoded together
WRONG = (Sign.OTHER, Sign.TWO_WAYS, Sign.NOT_UTF8, Sign.NORMALIZED)
MOST_TRIED = 5  # wrong documents of a piece that are looked at for moved ids
WORST_FIRST = (
    Sign.OTHER,
    Sign.TWO_WAYS,
    Sign.NOT_UTF8,
    Sign.NORMALIZED,
    Sign.MAYBE_JOINED,
    Sign.SPECIAL_AS_TEXT,
    Sign.SAMPLED,
    Sign.CUT,
    Sign.JOINED,
    Sign.UNDECIDED,
    Sign.OWN,
)


@dataclass
class DrawnDocuments:
    """Collects the segments of sampled documents, and checks them in batches."""

    plan: Plan
    tokenizer: Tokenizer
    tally: Tally
    left_out: Ranges = ()
    _turn: int = 0
    _waiting: list[tuple[Documents, Unit, list[Segment]]] = field(default_factory=list)
    _held: int = 0

    def __post_init__(self) -> None:
        self._words = WordStarts(Letters(self.tokenizer))

    def take(self, documents: Documents) -> None:
        """Sample from the documents of a batch."""
        documents = unmasked(documents)
        units = drawn_units(documents, self.plan.draw, self._words)
        if not units:
            return
        batch = documents.batch
        edges, blanks = _Marks(documents, EDGES, units), _Marks(documents, WITHOUT_TEXT, units)
        for at, unit in enumerate(units):
            if self._is_left_out():
                self.tally.note(Sign.KILLS, 1, [documents.spot(unit.start)])
                continue
            cut = batch.prompts[unit.place] if batch.prompts else 0
            ids = tuple(batch.ids[unit.start : unit.stop].tolist())
            found = _segments(unit, ids, edges.of(at), blanks.of(at), cut)
            self._waiting.append((documents, unit, found))
            self._held += len(ids)
            if self._held >= AT_ONCE:
                self.finish()

    def _is_left_out(self) -> bool:
        """Return whether the tokenizer skips the next document."""
        turn, self._turn = self._turn, self._turn + 1
        return any(first <= turn < last for first, last in self.left_out)

    def finish(self) -> None:
        """Check the waiting segments."""
        waiting, self._waiting, self._held = self._waiting, [], 0
        segments = [segment for _, _, found in waiting for segment in found]
        judged = iter(judge(segments, self.tokenizer, self.tally))
        own, encodings = 0, []
        for documents, unit, found in waiting:
            if not found:
                continue
            signs = list(islice(judged, len(found)))
            encodings += [
                documents.batch.ids[unit.start + segment.place :][: len(segment.ids)]
                for segment, sign in zip(found, signs, strict=True)
                if sign.sign is Sign.OWN
            ]
            self.tally.drawn += 1
            self.tally.windows += unit.window
            if all(each is OWN or each.sign is Sign.OWN for each in signs):
                own += 1
                continue
            worst = min(signs, key=lambda each: WORST_FIRST.index(each.sign))
            at = found[signs.index(worst)].place if worst.own or worst.ids else 0
            self.tally.note(worst.sign, 1, [_spot(documents, unit.start + at, worst)])
            if worst.sign in WRONG:
                self._look_for_moves(documents, unit)
        self.tally.note(Sign.OWN, own)
        count_own(encodings, self.tally)

    def _look_for_moves(self, documents: Documents, unit: Unit) -> None:
        """Count constants that may have shifted the ids of the first wrong documents."""
        if self.tally.tried >= MOST_TRIED:
            return
        ids = documents.batch.ids[unit.start : unit.stop]
        moves = moves_of(ids, documents.expected, self.tokenizer)
        self.tally.tried += moves is not None
        for move in moves or ():
            self.tally.moved[move] = self.tally.moved.get(move, 0) + 1


class _Marks:
    """The ids of some roles in all units of a batch."""

    def __init__(self, documents: Documents, bits: int, units: list[Unit]) -> None:
        np = numpy()
        marked = np.flatnonzero(documents.flags & bits)
        self._marked: list[int] = marked.tolist()
        self._starts = [unit.start for unit in units]
        self._first = np.searchsorted(marked, self._starts).tolist()
        self._last = np.searchsorted(marked, [unit.stop for unit in units]).tolist()

    def of(self, at: int) -> list[int]:
        """Return their positions in one of the units, from its beginning."""
        first, last, start = self._first[at], self._last[at], self._starts[at]
        return [each - start for each in self._marked[first:last]] if first < last else []


def _segments(
    unit: Unit, ids: tuple[int, ...], edges: list[int], blanks: list[int], prompt: int
) -> list[Segment]:
    """Return the texts of a unit: the parts between ids without text."""
    found, begin, open_start = [], 0, unit.open_start
    without_text = {*blanks} - {*edges}
    for stop in [*sorted({*edges, *blanks}), len(ids)]:
        cuts = [begin, prompt, stop] if begin < prompt < stop else [begin, stop]
        for first, last in pairwise(cuts):
            if first < last:
                found.append(
                    Segment(
                        first,
                        ids[first:last],
                        open_start=open_start and first == begin,
                        open_end=last in (len(ids), prompt) or stop in without_text,
                        sampled=bool(prompt) and first >= prompt,
                        first=first == 0,
                        joined=unit.joined,
                    )
                )
        if len(found) >= MOST_TEXTS:
            break
        begin, open_start = stop + 1, stop in without_text
    return found[:MOST_TEXTS]


def _spot(documents: Documents, place: int, found: Difference) -> Spot:
    spot = documents.spot(place + found.offset)
    return Spot(spot.shard, spot.document, spot.offset, found.ids, 0, found.own, found.text)
