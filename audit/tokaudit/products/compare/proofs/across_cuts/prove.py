"""Decide by the vocabulary if different splits change tokens.

Say that one side cuts a text at a place where the other does not.  A model that merges neighbours
can only act there if some entry lies across the place, within one piece of the side that does not
cut.  If no entry can, in any text, both sides give the same tokens for every text.

This is an argument about models that build tokens from neighbours, by rank or by score: BPE
without dropout, and Unigram, where every character is known (byte-level, or byte fallback).  It
does not hold where a token says where in a piece it is (`##`, a suffix at the end of a word), nor
where unknown characters are fused.  Whoever asks must know that neither is so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tokaudit.products.compare.patterns.classes import common
from tokaudit.products.compare.patterns.machine import (
    Machine,
    Mark,
    explored,
    ways_from_the_start,
    ways_to_an_end,
)
from tokaudit.products.compare.patterns.replay import trusted
from tokaudit.products.compare.patterns.splits import PreTokenizer
from tokaudit.products.compare.patterns.verdicts import (
    NotDecided,
    OtherTokens,
    SameTokens,
    Undecidable,
)
from tokaudit.products.compare.proofs.across_cuts.entries import Pair, Place, Reader

MOST_TRIED = 200  # texts
Marks = tuple[Mark, Mark]
Entry = str | bytes
# A state of both machines within an entry, and for either side whether the entry is whole so far.
Inside = tuple[int, bool, bool]


def given_vocabulary(
    left: PreTokenizer,
    right: PreTokenizer,
    entries: Iterable[Entry],
    differ: Callable[[str], bool],
) -> SameTokens | OtherTokens | NotDecided:
    r"""Decide if both sides give equal ids, by the entries that cross splits.

    `differ` runs a text on both sides and says whether its ids differ.

    >>> from tokaudit.products.compare.patterns.splits import Split
    >>> one, other = (Split(r"\s+|\S+"),), (Split(r"\s|\S+"),)
    >>> given_vocabulary(one, other, ["a", " ", "ab", " a"], lambda text: True)
    SameTokens(entries=4, states=3)
    >>> given_vocabulary(one, other, ["a", "  "], lambda text: True)
    OtherTokens(text='  ', entry='  ')
    """
    try:
        return _Joint(left, right).answer(list(entries), differ)
    except Undecidable as unknown:
        return NotDecided(str(unknown))


@dataclass(frozen=True, slots=True)
class _Found:
    """A text in which an entry crosses a split of one side alone."""

    text: str
    entry: Entry


class _Joint:
    """Both machines as one, over the pairs of classes that share a character."""

    def __init__(self, left: PreTokenizer, right: PreTokenizer) -> None:
        (classes, one), (others, other) = trusted(left), trusted(right)
        shared = common(classes, others)
        self.names = {pair: i for i, pair in enumerate(shared)}
        self.characters = tuple(shared.values())
        self.reader = Reader(classes, others)
        self.both = paired(one, other, list(shared))
        self.heads, self.tails = ways_from_the_start(self.both), ways_to_an_end(self.both)
        everywhere = range(len(self.both.moves))
        self.begin = frozenset((state, False, False) for state in everywhere)
        self.known: dict[tuple[frozenset[Inside], Place, bool], frozenset[Inside]] = {}

    def answer(
        self, entries: list[Entry], differ: Callable[[str], bool]
    ) -> SameTokens | OtherTokens | NotDecided:
        """Run the texts that may differ, the short ones first."""
        lost = self.lost_on_one_side()
        found = [lost] if lost is not None else sorted(self.crossing(entries), key=_length)
        if not found:
            return SameTokens(len(entries), len(self.both.moves))
        for each in found[:MOST_TRIED]:
            if differ(each.text):
                return OtherTokens(each.text, each.entry)
        return NotDecided(
            f"{found[0].entry!r} lies across a cut of one side in {found[0].text!r}, "
            f"but the ids of {len(found[:MOST_TRIED])} such texts are the same"
        )

    def lost_on_one_side(self) -> _Found | None:
        """Return a text in which only one side drops a character."""
        for state in sorted(self.heads, key=lambda state: len(self.heads[state])):
            for name, moves in enumerate(self.both.moves[state]):
                for (mine, its), after in moves:
                    if (mine is Mark.GONE) != (its is Mark.GONE):
                        text = self.text(state, self.characters[name], after)
                        return _Found(text, self.characters[name])
        return None

    def crossing(self, entries: list[Entry]) -> Iterator[_Found]:
        """Yield for each crossing row of classes one entry with its shortest text."""
        seen: set[tuple[Place, ...]] = set()
        for entry in entries:
            row = self.reader.row(entry)
            if len(row) > 1 and row not in seen:
                seen.add(row)
                if any(mine != its for _, mine, its in self.inside(row)):
                    yield self.shown(entry, row)

    def inside(self, row: tuple[Place, ...]) -> frozenset[Inside]:
        """Return the joint states after an entry that lies in one piece on either side."""
        states = self.begin
        for i, place in enumerate(row):
            key = states, place, i == 0
            if key not in self.known:
                self.known[key] = frozenset(
                    new for state in states for _, new in self.on(state, place, i == 0)
                )
            states = self.known[key]
        return states

    def on(self, inside: Inside, place: Place, first: bool) -> Iterator[tuple[Pair, Inside]]:
        """Yield the moves with a character of the entry; none once both sides split it."""
        state, mine_cut, its_cut = inside
        for pair in place:
            for (mine, its), after in self.both.moves[state][self.names[pair]]:
                new = mine_cut or _breaks(mine, first), its_cut or _breaks(its, first)
                if new != (True, True):
                    yield pair, (after, *new)

    def shown(self, entry: Entry, row: tuple[Place, ...]) -> _Found:
        """Return the shortest text in which the entry crosses a split."""
        ways: dict[Inside, tuple[int, tuple[Pair, ...]]] = {
            each: (each[0], ()) for each in sorted(self.begin, key=lambda i: len(self.heads[i[0]]))
        }
        for i, place in enumerate(row):
            after: dict[Inside, tuple[int, tuple[Pair, ...]]] = {}
            for state, (began, way) in ways.items():
                for pair, new in self.on(state, place, i == 0):
                    if new not in after or self.near(began) < self.near(after[new][0]):
                        after[new] = began, (*way, pair)
            ways = after
        ends = [(state, *way) for (state, mine, its), way in ways.items() if mine != its]
        end, began, way = min(ends, key=lambda e: (self.near(e[1]) + len(self.tails[e[0]]), e))
        return _Found(self.text(began, self.reader.spelled(entry, way), end), entry)

    def near(self, state: int) -> int:
        """Return the distance of a state from the start."""
        return len(self.heads[state])

    def text(self, state: int, middle: str, after: int) -> str:
        """Return a text that reaches a state, contains the middle, and ends."""
        head = "".join(self.characters[name] for name, _ in self.heads[state])
        return head + middle + "".join(self.characters[name] for name, _ in self.tails[after])


def _breaks(mark: Mark, first: bool) -> bool:
    return mark is Mark.GONE or (mark is Mark.CUT and not first)


def _length(found: _Found) -> tuple[int, str]:
    return len(found.text), found.text


def paired(
    left: Machine[Mark], right: Machine[Mark], classes: list[tuple[int, int]]
) -> Machine[Marks]:
    """Run both machines on the same text, with the marks of both."""

    def moves(state: tuple[int, int], name: int) -> Iterator[tuple[Marks, tuple[int, int]]]:
        ours, theirs = classes[name]
        for mark, after in left.moves[state[0]][ours]:
            for its, its_after in right.moves[state[1]][theirs]:
                yield (mark, its), (after, its_after)

    def may_end(state: tuple[int, int]) -> bool:
        return state[0] in left.ends and state[1] in right.ends

    return explored((0, 0), moves, may_end, len(classes))
