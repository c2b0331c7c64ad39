"""Compile a pre-tokenizer, a sequence of splits, to one machine.

A Split finds matches; its behaviour says what becomes of them and of what lies between.  The next
Split sees each piece as its own text, so its machine starts anew where the first one cuts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from tokaudit.products.compare.patterns.acceptor import Acceptor, Guess, State
from tokaudit.products.compare.patterns.classes import Partition, partition
from tokaudit.products.compare.patterns.machine import Machine, Mark, explored
from tokaudit.products.compare.patterns.program import Program, program
from tokaudit.products.compare.patterns.syntax import letter, parse
from tokaudit.products.compare.patterns.tree import Dialect, Take, row
from tokaudit.products.compare.patterns.verdicts import Undecidable
from tokaudit_reference.text.published_patterns import GPT2

BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")


@dataclass(frozen=True, slots=True)
class Split:
    """One Split of a pre-tokenizer; `literal` if the pattern is a plain string."""

    pattern: str
    dialect: Dialect = Dialect.ONIGURUMA
    behavior: str = "Isolated"
    invert: bool = False
    literal: bool = False


PreTokenizer = tuple[Split, ...]
BYTE_LEVEL = Split(GPT2)  # ByteLevel cuts by GPT-2's pattern unless `use_regex` is false


def tiktoken(pattern: str) -> Split:
    """Return the Split of tiktoken, which keeps only matches."""
    return Split(pattern, Dialect.RUST, "Removed", invert=True)


@lru_cache(maxsize=128)
def machine(splits: PreTokenizer) -> tuple[Partition, Machine[Mark]]:
    """Return the character classes of a pre-tokenizer, and its machine over them."""
    programs = [_program(split) for split in splits]
    classes = partition(frozenset(atom for each in programs for atom in each.atoms()))
    names = len(classes.characters)
    whole: Machine[Mark] | None = None
    for split, each in zip(splits, programs, strict=True):
        stage = _Stage(Acceptor(each, classes), split)
        one = explored(stage.start(), stage.moves, stage.may_end, names)
        whole = one if whole is None else _composed(whole, one, names)
    return classes, whole or _uncut(names)


def _program(split: Split) -> Program:
    if split.behavior not in BEHAVIORS:
        raise Undecidable(f"the behaviour {split.behavior[:40]}")
    if not split.literal or not split.pattern:  # an empty string is found as an empty expression
        return program(parse(split.pattern, split.dialect))
    return program(row([Take(letter(each, False, split.dialect)) for each in split.pattern]))


def _uncut(classes: int) -> Machine[Mark]:
    """Return the machine without any split: each text is one piece."""
    cut, joined = ((Mark.CUT, 1),), ((Mark.JOINED, 1),)
    return Machine(((cut,) * classes, (joined,) * classes), frozenset({0, 1}))


_Two = tuple[int, int | None]


class _Place(NamedTuple):
    """State of a split's pattern, and whether the last character was in a match."""

    state: State
    matched: bool | None  # None before the first character


class _Stage:
    """One Split: its pattern's guesses, converted to marks."""

    def __init__(self, acceptor: Acceptor, split: Split) -> None:
        self.acceptor, self.split = acceptor, split

    def start(self) -> _Place:
        return _Place(self.acceptor.start(), None)

    def moves(self, place: _Place, name: int) -> Iterator[tuple[Mark, _Place]]:
        for guess, state in self.acceptor.moves(place.state, name):
            if guess is Guess.OUTSIDE_BEHIND_EMPTY and self.split.dialect is Dialect.PYTHON:
                raise Undecidable("an empty match in Python's dialect")
            after = _Place(state, guess in (Guess.BEGINS, Guess.GOES_ON))
            yield _mark(self.split, guess, place.matched), after

    def may_end(self, place: _Place) -> bool:
        return self.acceptor.may_end(place.state)


def _mark(split: Split, guess: Guess, matched: bool | None) -> Mark:
    """Return the mark of a character, given its own and the previous character's guess."""
    matches = guess in (Guess.BEGINS, Guess.GOES_ON)
    delimiter = matches != split.invert  # inverted, what matches and what does not change places
    if delimiter and split.behavior == "Removed":
        return Mark.GONE
    if guess is Guess.GOES_ON or (guess is Guess.OUTSIDE and matched is False):
        return Mark.JOINED
    if matched is None or guess is Guess.OUTSIDE_BEHIND_EMPTY:
        return Mark.CUT
    before = matched != split.invert
    joined = {
        "MergedWithPrevious": delimiter and not before,
        "MergedWithNext": before and not delimiter,
        "Contiguous": before == delimiter,
    }
    return Mark.JOINED if joined.get(split.behavior) else Mark.CUT


def _composed(first: Machine[Mark], second: Machine[Mark], classes: int) -> Machine[Mark]:
    """Return the machine that splits the pieces of the first by the second.

    A state is one of each; that of the second is None where no piece is open.
    """

    def moves(both: _Two, name: int) -> Iterator[tuple[Mark, _Two]]:
        at, inner = both
        over = inner is None or inner in second.ends
        for mark, after in first.moves[at][name]:
            if mark is Mark.GONE:
                if over:
                    yield mark, (after, None)
            elif mark is Mark.JOINED and inner is not None:
                yield from ((m, (after, s)) for m, s in second.moves[inner][name])
            elif over:
                yield from ((m, (after, s)) for m, s in second.moves[0][name])

    def may_end(both: _Two) -> bool:
        return both[0] in first.ends and (both[1] is None or both[1] in second.ends)

    start: _Two = (0, None)
    return explored(start, moves, may_end, classes)
