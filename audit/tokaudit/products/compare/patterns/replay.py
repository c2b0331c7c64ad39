"""Check a machine against the engine, by splitting texts with both.

A machine is only used after this: for each of its moves a text that takes it is cut by the engine,
and so are all short texts and repeats, as a machine with too few states may take each move rightly.
Where the engine cuts elsewhere, the prover has misread the pattern, or the reference has; either
way nothing is decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain
from time import monotonic
from typing import Any

from tokaudit.products.compare.patterns.classes import Partition, engine_of
from tokaudit.products.compare.patterns.machine import (
    Machine,
    Mark,
    Way,
    ways_from_the_start,
    ways_to_an_end,
)
from tokaudit.products.compare.patterns.splits import PreTokenizer, Split, machine
from tokaudit.products.compare.patterns.verdicts import Undecidable
from tokaudit_reference.steps.pre_tokenizers.split import split_at
from tokaudit_reference.steps.pre_tokenizers.step import Cutting
from tokaudit_reference.text.alignment import Span
from tokaudit_reference.text.matching import find, find_literal

PATIENCE = 2.0  # seconds that the engine gets for a text, against patterns that explode
TIME = 10.0  # seconds for all texts of a machine
MOST_WORDS, LONGEST_WORD = 1_500, 6  # of all words of one length
REPEATS = 5  # of a class, more than a pattern counts to
Word = tuple[int, ...]  # classes of characters


class _Timed:
    """A compiled pattern with a time limit."""

    def __init__(self, split: Split) -> None:
        self.engine = engine_of(split.pattern, split.dialect).anywhere

    def finditer(self, text: str, at: int = 0, /) -> Any:
        return self.engine.finditer(text, at, timeout=PATIENCE)


@lru_cache(maxsize=256)
def _step(split: Split) -> Cutting:
    if split.literal:
        return split_at(partial(find_literal, split.pattern), split.behavior, split.invert)
    return split_at(partial(find, _Timed(split)), split.behavior, split.invert)


def spans(splits: PreTokenizer, text: str) -> list[Span]:
    """Return the start and end of each piece, as the engine splits a text.

    >>> spans((Split("b+"),), "abba")
    [(0, 1), (1, 3), (3, 4)]
    """
    cut = [(0, len(text))] if text else []
    for split in splits:
        step = _step(split)
        try:
            cut = [
                (start + a, start + b)
                for start, end in cut
                for a, b in step.spans(text[start:end])
                if a < b
            ]
        except TimeoutError:
            raise Undecidable(f"the engine took too long for {text[:40]!r}") from None
    return cut


def pieces(splits: PreTokenizer, text: str) -> tuple[str, ...]:
    """Return the pieces of a text, as the engine splits it."""
    return tuple(text[start:end] for start, end in spans(splits, text))


def marked(marks: Sequence[Mark]) -> list[Span]:
    """Return the pieces that the marks of a text describe.

    >>> marked([Mark.CUT, Mark.JOINED, Mark.GONE, Mark.CUT])
    [(0, 2), (3, 4)]
    """
    found: list[Span] = []
    for at, mark in enumerate(marks):
        if mark is Mark.CUT:
            found.append((at, at + 1))
        elif mark is Mark.JOINED:
            found[-1] = found[-1][0], at + 1
    return found


@lru_cache(maxsize=128)
def trusted(splits: PreTokenizer) -> tuple[Partition, Machine[Mark]]:
    """Return a pre-tokenizer's machine after checking it against the engine."""
    classes, built = machine(splits)
    until = monotonic() + TIME
    for text, marks in cover(classes, built):
        if spans(splits, text) != marked(marks):
            raise Undecidable(f"the reference cuts {text!r} differently from the prover's machine")
        if monotonic() > until:
            raise Undecidable("the engine took too long for the texts that check a machine")
    return classes, built


def cover(classes: Partition, built: Machine[Mark]) -> Iterator[tuple[str, tuple[Mark, ...]]]:
    """Yield texts that try every move of a machine, with the marks that it gives them.

    A pattern that is read with a state too few may take every move rightly once.  So all short
    texts are among them, and after each state each class several times.
    """
    for word in chain(_each_move(built), _short_words(len(classes.characters)), _repeats(built)):
        yield "".join(classes.characters[name] for name in word), marks_of(built, word)


def marks_of(built: Machine[Mark], word: Word) -> tuple[Mark, ...]:
    """Return the marks of a word by its one way to an end; nothing if the machine has none."""
    ways: dict[int, tuple[Mark, ...]] = {0: ()}
    for name in word:
        ways = {
            after: (*marks, mark)
            for state, marks in ways.items()
            for mark, after in built.moves[state][name]
        }
    return next((marks for state, marks in ways.items() if state in built.ends), ())


def _each_move(built: Machine[Mark]) -> Iterator[Word]:
    """Yield for each move of a machine a short word that takes it."""
    heads, tails = ways_from_the_start(built), ways_to_an_end(built)
    for state, row in enumerate(built.moves):
        for name, moves in enumerate(row):
            for _, after in moves:
                yield *_word(heads[state]), name, *_word(tails[after])


def _short_words(classes: int) -> Iterator[Word]:
    """Yield all words of classes up to the length at which they become too many."""
    words: list[Word] = [()]
    while len(words) * classes <= MOST_WORDS and len(words[0]) < LONGEST_WORD:
        words = [(*word, name) for word in words for name in range(classes)]
        yield from words


def _repeats(built: Machine[Mark]) -> Iterator[Word]:
    """Yield the way to each state, and then one class several times."""
    for way in ways_from_the_start(built).values():
        for name in range(len(built.moves[0])):
            yield *_word(way), *[name] * REPEATS


def _word(way: Way[Mark]) -> Word:
    return tuple(name for name, _ in way)
