"""What a worker is asked about a file of ids, and what it may answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tokaudit.runtimes.shards.ids.counts.tally import MOST_SPOTS, MOST_TOKENS, Tally
from tokaudit.runtimes.shards.ids.documents.copies import MOST_KEPT
from tokaudit.runtimes.shards.ids.isolating import Ranges
from tokaudit.runtimes.shards.ids.plan import Plan
from tokaudit.runtimes.worker.answers import LARGEST, Shape
from tokaudit.subject.data import Piece
from tokaudit.subject.data.batch import ShardInfo
from tokaudit.subject.data.files import IdDescription

MOST_PIECES = 1 << 20
MOST_FAULTS = 1 << 12
MOST_LENGTHS = 64  # of powers of two


@dataclass(frozen=True)
class ShardRequest:
    """A file by its bare name and the name that reports give it, and what the user says of it."""

    bare: str
    name: str
    size: int
    given: IdDescription


@dataclass(frozen=True)
class PieceRequest:
    """A piece of a file, and everything that decides what is counted of it.

    The tokenizer is not asked about documents that are `left_out`.
    """

    shard: ShardRequest
    piece: Piece
    plan: Plan
    left_out: Ranges = ()


@dataclass(frozen=True)
class ShardOpening:
    """What a file states of itself and its cut points, or why it is not read.

    `others` is why it holds no ids, empty where no format recognises it.
    """

    info: ShardInfo | None = None
    pieces: tuple[Piece, ...] = ()
    others: str | None = None
    unreadable: str | None = None
    missing: str | None = None  # the line to install what reads it


def openings(asked: ShardRequest) -> Shape[ShardOpening]:
    """One opening of that file."""

    def fits(found: ShardOpening) -> bool:
        answers = (found.info, found.others, found.unreadable, found.missing)
        if len(found.pieces) > MOST_PIECES or sum(each is not None for each in answers) != 1:
            return False
        return found.info is None or _fits(found.info, asked)

    return Shape(ShardOpening, LARGEST, fits)


def _fits(info: ShardInfo, asked: ShardRequest) -> bool:
    """Whether it is about that file and those in its folder."""
    folder = asked.name.rpartition("/")[0]
    own = info.name == asked.name and all(n.rpartition("/")[0] == folder for n in info.files)
    return own and len(info.faults) <= MOST_FAULTS and min(info.ids, info.documents) >= -1


def tallies(asked: ShardRequest) -> Shape[Tally]:
    """A tally of that file, bounded as ours are."""

    def fits(found: Tally) -> bool:
        numbers: list[Any] = [found.ids, found.documents, found.drawn, found.drawn_ids]
        numbers += [found.drawn_bytes, found.own_ids, found.faulty]
        for table in (found.counts, found.lengths, found.own_ranks, found.tokens):
            numbers += table.values()
        spots = [spot for event in found.events.values() for spot in event.spots]
        return (
            min(numbers) >= 0
            and all(event.count > 0 for event in found.events.values())
            and all(len(event.spots) <= MOST_SPOTS for event in found.events.values())
            and all(spot.shard == asked.name for spot in spots)
            and max(len(found.lengths), len(found.own_ranks)) <= MOST_LENGTHS
            and len(found.tokens) <= MOST_TOKENS
            and len(found.copies) <= MOST_KEPT
            and len(found.faults) <= MOST_SPOTS
        )

    return Shape(Tally, LARGEST, fits)
