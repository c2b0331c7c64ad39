"""Counts of a piece: whole numbers, and the first few places of each sign."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import reduce
from itertools import islice, takewhile

MOST_SPOTS = 5
MOST_KEPT = 1024  # documents of the sample in which copies are found
SHORTEST_ROW = 32  # ids; nobody cuts texts into shorter rows
MOST_TOKENS = 1000  # of those that own encodings have where the ids have others


Place = tuple[str, int, int]  # shard, document (-1 where it has no number), offset


class Sign(StrEnum):
    """A sign that ids, boundaries, labels or a re-encoded document can show."""

    OUTSIDE = "outside"  # no entry of the vocabulary has the id
    NO_ROW = "no row"
    HOLE = "hole"
    RESERVED = "reserved"
    UNKNOWN = "unknown"
    PAD_INSIDE = "pad inside"
    EMPTY = "empty"
    NO_TEXT = "no text"  # nothing but ids that begin, end and pad
    ZEROS = "zeros"  # runs of the id 0
    ZERO_IDS = "zero ids"  # the ids in them
    BEGINS_WITH = "begins with"
    BEGINS_WITHOUT = "begins without"
    BEGINS_TWICE = "begins twice"
    ENDS_WITH = "ends with"
    ENDS_WITHOUT = "ends without"
    ENDS_TWICE = "ends twice"
    BEGIN_INSIDE = "begin inside"
    BEGIN_UNENDED = "begin without an end"  # inside, where no end is before it
    LEFT_OPEN = "left open"  # the last document of a shard has no end
    END_INSIDE = "end inside"
    LABELS_UNLIKE = "labels unlike"  # rows with more or fewer labels than ids
    LABEL_OTHER = "label other"
    LABEL_OWN = "label own"
    LABEL_OF_MASK = "label of mask"  # another id, where the id is the mask token
    LABELS_ASTRAY = "labels astray"  # rows with more other labels than masks explain
    LABELS_SHIFTED = "labels shifted"
    LABELS_NONE = "labels none"
    LABELS_ALL = "labels all"
    LABELS_PARTLY = "labels partly"
    END_LEARNED = "end learned"
    END_NOT_LEARNED = "end not learned"
    PAD_LEARNED = "pad learned"
    MASK_ON_PAD = "mask on pad"
    MASK_OFF_TEXT = "mask off text"
    POSITION_JUMP = "position jump"
    OWN = "own"  # from here on: documents that were drawn, decoded and encoded again
    CUT = "cut"
    JOINED = "joined"  # texts that meet without an end between them
    SPECIAL_AS_TEXT = "special as text"
    NORMALIZED = "normalized"
    SAMPLED = "sampled"
    MAYBE_JOINED = "maybe joined"  # differs at few places, at which texts may meet
    TWO_WAYS = "two ways"
    OTHER = "other"
    NOT_UTF8 = "not utf-8"
    UNDECIDED = "undecided"
    KILLS = "kills"  # left out, as such a document ends the process of the tokenizer


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """One place: the shard, the document (-1 without a number), its offset, some ids.

    `at` is the place of the id that is meant among `ids`; `own` are the ids that the tokenizer
    makes of the same text, where there are such.
    """

    shard: str
    document: int
    offset: int
    ids: tuple[int, ...] = ()
    at: int = 0
    own: tuple[int, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """The count of a sign, and the first places."""

    count: int = 0
    spots: tuple[Spot, ...] = ()

    def earlier(self, spots: Iterable[Spot]) -> Iterator[Spot]:
        """Yield the sorted spots that come before the last one kept."""
        if len(self.spots) < MOST_SPOTS:
            return iter(spots)
        return takewhile(self.spots[-1].__gt__, spots)

    def and_also(self, other: Event) -> Event:
        """Add both counts."""
        if not other.spots:
            return Event(self.count + other.count, self.spots)
        spots = tuple(sorted({*self.spots, *other.spots})[:MOST_SPOTS])
        return Event(self.count + other.count, spots)


@dataclass(frozen=True, slots=True)
class FullRows:
    """Rows as long as the longest, and how many of them end no document."""

    length: int = 0
    rows: int = 0
    open: int = 0

    def and_also(self, other: FullRows) -> FullRows:
        """Add the rows of both that are as long as the longest of both.

        >>> FullRows(64, 3, 1).and_also(FullRows(32, 9, 9)).and_also(FullRows(64, 1, 1))
        FullRows(length=64, rows=4, open=2)
        """
        if self.length != other.length:
            return max(self, other, key=lambda each: each.length)
        return FullRows(self.length, self.rows + other.rows, self.open + other.open)

    @property
    def cut(self) -> FullRows:
        """Return the same if texts may be cut so, else nothing."""
        return self if self.length >= SHORTEST_ROW and self.rows > 1 else FullRows()


@dataclass(frozen=True, slots=True)
class Copies:
    """The count of one document, and its first two places."""

    count: int
    places: tuple[Place, ...]

    def and_also(self, other: Copies) -> Copies:
        """Add both counts."""
        places = tuple(sorted({*self.places, *other.places})[:2])
        return Copies(self.count + other.count, places)


def merged_copies(first: Mapping[int, Copies], second: Mapping[int, Copies]) -> dict[int, Copies]:
    """Merge two samples, keeping the lowest keys of both."""
    kept = sorted({*first, *second})[:MOST_KEPT]
    nothing = Copies(0, ())
    return {key: first.get(key, nothing).and_also(second.get(key, nothing)) for key in kept}


@dataclass(slots=True)
class Tally:
    """Counts of some ids; two of them can be added, in any order."""

    ids: int = 0
    documents: int = 0  # that end here
    drawn: int = 0  # documents that were decoded, and windows of long ones
    windows: int = 0  # of these
    drawn_ids: int = 0
    drawn_bytes: int = 0
    own_ids: int = 0  # of the own encodings of the same texts
    highest: int = -1
    events: dict[Sign, Event] = field(default_factory=dict)
    counts: dict[int, int] = field(default_factory=dict)  # id -> how often
    lengths: dict[int, int] = field(default_factory=dict)  # floor of log2 -> documents
    full: FullRows = field(default_factory=FullRows)
    own_ranks: dict[int, int] = field(default_factory=dict)  # band of ids -> of own encodings
    tokens: dict[int, int] = field(default_factory=dict)  # own token at a first difference
    joints: dict[int, int] = field(default_factory=dict)  # own token where two texts meet
    moved: dict[int, int] = field(default_factory=dict)  # constant in the way -> wrong documents
    tried: int = 0  # wrong documents that were looked at for such a constant
    copies: dict[int, Copies] = field(default_factory=dict)  # key -> one document of the sample
    faults: tuple[tuple[str, str, str, int], ...] = ()  # cause, message, file, document
    faulty: int = 0

    def event(self, *signs: Sign) -> Event:
        """Return the total count of some signs, and the first places."""
        return reduce(Event.and_also, (self.events.get(sign, Event()) for sign in signs))

    def note(self, sign: Sign, count: int, spots: Iterable[Spot] = ()) -> None:
        """Count a sign; `spots` are in order."""
        if count:
            event = self.events.get(sign, Event())
            kept = tuple(islice(event.earlier(spots), MOST_SPOTS))
            self.events[sign] = event.and_also(Event(count, kept))

    def count(self, sign: Sign) -> int:
        """Return the count of a sign."""
        return self.events.get(sign, Event()).count

    def spots(self, sign: Sign) -> tuple[Spot, ...]:
        """Return the first places of a sign."""
        return self.events.get(sign, Event()).spots

    def add(self, other: Tally) -> None:
        """Add another tally."""
        for each in fields(self):
            mine, theirs = getattr(self, each.name), getattr(other, each.name)
            if each.name == "highest":
                self.highest = max(mine, theirs)
            elif isinstance(mine, int):
                setattr(self, each.name, mine + theirs)
        for sign, event in other.events.items():
            self.events[sign] = self.events.get(sign, Event()).and_also(event)
        for name in ("counts", "lengths", "own_ranks", "tokens", "joints", "moved"):
            _added(getattr(self, name), getattr(other, name))
        self.full = self.full.and_also(other.full)
        self.copies = merged_copies(self.copies, other.copies)
        self.faults = tuple(sorted({*self.faults, *other.faults})[:MOST_SPOTS])


def _added(mine: dict[int, int], theirs: Mapping[int, int]) -> None:
    for key, count in theirs.items():
        mine[key] = mine.get(key, 0) + count


def merged(tallies: Iterable[Tally]) -> Tally:
    """Add all tallies."""
    total = Tally()
    for each in tallies:
        total.add(each)
    return total
