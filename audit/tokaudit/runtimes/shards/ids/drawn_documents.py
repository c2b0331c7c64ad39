"""Draws documents by hash, and cuts them into the texts between ids that begin, end and pad."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from tokaudit.runtimes.protocol import Tokenizer
from tokaudit.runtimes.shards.ids.causes import Difference, Segment
from tokaudit.runtimes.shards.ids.counting import Documents
from tokaudit.runtimes.shards.ids.judging import judge
from tokaudit.runtimes.shards.ids.plan import BEGIN, END, HOLE, OUTSIDE, PAD, UNKNOWN, Plan
from tokaudit.runtimes.shards.ids.ranks import count_own
from tokaudit.runtimes.shards.ids.tally import Sign, Spot, Tally
from tokaudit.subject.data.batch import numpy

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
    _waiting: list[tuple[Documents, int, list[Segment]]] = field(default_factory=list)
    _held: int = 0

    def take(self, documents: Documents) -> None:
        """Draw from the documents of a batch."""
        np, batch, info = numpy(), documents.batch, documents.info
        keys = documents.starts + batch.offset
        if batch.first >= 0:
            keys = np.arange(len(documents.starts)) + batch.first
        chosen = self.plan.draw.drawn(info.name, keys)
        chosen[:1] &= batch.opens
        chosen[-1:] &= batch.closes
        for place in np.flatnonzero(chosen & (documents.stops > documents.starts)).tolist():
            start, stop = int(documents.starts[place]), int(documents.stops[place])
            cut = batch.prompts[place] if batch.prompts else 0
            found = list(self._segments(documents, start, stop, cut))
            self._waiting.append((documents, start, found[:MOST_TEXTS]))
            self._held += stop - start
            if self._held >= AT_ONCE:
                self.finish()

    def _segments(
        self, documents: Documents, start: int, stop: int, prompt: int
    ) -> Iterator[Segment]:
        """The texts of a document: what is between ids that begin, end and pad."""
        np, flags = numpy(), documents.flags[start:stop]
        ids = tuple(documents.batch.ids[start:stop].tolist())
        edges = np.flatnonzero((flags & EDGES) != 0).tolist()
        nothing = (flags & WITHOUT_TEXT) != 0
        begin = 0
        for stop_here in [*edges, len(ids)]:
            cuts = [begin, stop_here]
            if begin < prompt < stop_here:
                cuts.insert(1, prompt)
            for first, last in pairwise(cuts):
                if text := ids[first:last][:LONGEST]:
                    yield Segment(
                        start + first,
                        text,
                        readable=not nothing[first:last].any(),
                        open_start=documents.info.packed and first == 0,
                        open_end=last in (len(ids), prompt) or len(text) < last - first,
                        sampled=bool(prompt) and first >= prompt,
                        first=first == 0,
                    )
            begin = stop_here + 1

    def finish(self) -> None:
        """Judge what waits."""
        waiting, self._waiting, self._held = self._waiting, [], 0
        segments = [segment for _, _, found in waiting for segment in found]
        judged = iter(judge(segments, self.tokenizer, self.tally))
        own, encodings = 0, []
        for documents, start, found in waiting:
            if not found:
                continue
            signs = [next(judged) for _ in found]
            encodings += [
                documents.batch.ids[segment.place : segment.place + len(segment.ids)]
                for segment, sign in zip(found, signs, strict=True)
                if sign.sign is Sign.OWN
            ]
            self.tally.drawn += 1
            if all(each.sign is Sign.OWN for each in signs):
                own += 1
                continue
            worst = min(signs, key=lambda each: WORST_FIRST.index(each.sign))
            where = found[signs.index(worst)].place if worst.own or worst.ids else start
            self.tally.note(worst.sign, 1, [_spot(documents, where, worst)])
        self.tally.note(Sign.OWN, own)
        count_own(encodings, self.tally)


def _spot(documents: Documents, place: int, found: Difference) -> Spot:
    spot = documents.spot(place + found.offset)
    return Spot(spot.shard, spot.document, spot.offset, found.ids, 0, found.own, found.text)
