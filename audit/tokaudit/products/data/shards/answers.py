"""Valid answers of a worker about a file of ids: about that file, and bounded."""

from __future__ import annotations

from typing import Any

from tokaudit.products.data.files.batch import ShardInfo
from tokaudit.products.data.ids.counts.tally import MOST_KEPT, MOST_SPOTS, MOST_TOKENS, Tally
from tokaudit.products.data.ids.requests import ShardOpening, ShardRequest
from tokaudit.runtimes.worker.answers import LARGEST, Shape

MOST_PIECES = 1 << 20
MOST_FAULTS = 1 << 12
MOST_LENGTHS = 64  # of powers of two


def openings(asked: ShardRequest) -> Shape[ShardOpening]:
    """Return the valid shape of an opening of that file."""

    def fits(found: ShardOpening) -> bool:
        answers = (found.info, found.others, found.unreadable, found.missing)
        if len(found.pieces) > MOST_PIECES or sum(each is not None for each in answers) != 1:
            return False
        return found.info is None or _fits(found.info, asked)

    return Shape(ShardOpening, LARGEST, fits)


def _fits(info: ShardInfo, asked: ShardRequest) -> bool:
    """Return whether it is about that file and others in its folder."""
    folder = asked.name.rpartition("/")[0]
    own = info.name == asked.name and all(n.rpartition("/")[0] == folder for n in info.files)
    return own and len(info.faults) <= MOST_FAULTS and min(info.ids, info.documents) >= -1


def tallies(asked: ShardRequest) -> Shape[Tally]:
    """Return the valid shape of a tally of that file."""

    def fits(found: Tally) -> bool:
        numbers: list[Any] = [found.ids, found.documents, found.drawn, found.drawn_ids]
        numbers += [found.drawn_bytes, found.own_ids, found.faulty]
        numbers += [found.windows, found.tried]
        few = (found.tokens, found.joints, found.moved)
        for table in (found.counts, found.lengths, found.own_ranks, *few):
            numbers += table.values()
        spots = [spot for event in found.events.values() for spot in event.spots]
        return (
            min(numbers) >= 0
            and all(event.count > 0 for event in found.events.values())
            and all(len(event.spots) <= MOST_SPOTS for event in found.events.values())
            and all(spot.shard == asked.name for spot in spots)
            and max(len(found.lengths), len(found.own_ranks)) <= MOST_LENGTHS
            and max(map(len, few)) <= MOST_TOKENS
            and len(found.copies) <= MOST_KEPT
            and len(found.faults) <= MOST_SPOTS
        )

    return Shape(Tally, LARGEST, fits)
