"""Check a machine against the engine, by splitting texts with both.

A machine is only used after this: for each of its moves a text that takes it is cut by the engine.
Where the engine cuts elsewhere, the prover has misread the pattern, or the reference has; either
way nothing is decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from time import monotonic
from typing import Any

from tokaudit.products.compare.patterns.classes import Partition, engine_of
from tokaudit.products.compare.patterns.machine import (
    Machine,
    Mark,
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
    """Yield for each move of a machine a short text that uses it, with its marks."""
    heads, tails = ways_from_the_start(built), ways_to_an_end(built)
    for state, row in enumerate(built.moves):
        for name, moves in enumerate(row):
            for mark, after in moves:
                way = *heads[state], (name, mark), *tails[after]
                text = "".join(classes.characters[each] for each, _ in way)
                yield text, tuple(mark for _, mark in way)
