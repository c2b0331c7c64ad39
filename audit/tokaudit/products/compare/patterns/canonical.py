"""Canonical form of a pre-tokenizer: the smallest automaton that accepts its splits.

A text with a mark at each character is a word over pairs of character and mark, and the marked
texts that a pre-tokenizer makes are a regular language (see `machine`).  Such a language has one
smallest deterministic acceptor (Myhill 1957, Nerode 1958).  So two pre-tokenizers cut every text
alike if and only if these acceptors are the same, once characters that no state tells apart share a
name and all names are given in a fixed order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from tokaudit.products.compare.patterns.classes import Partition, every_scalar
from tokaudit.products.compare.patterns.machine import Machine, Mark
from tokaudit.products.compare.patterns.replay import trusted
from tokaudit.products.compare.patterns.splits import PreTokenizer
from tokaudit.products.compare.patterns.verdicts import Undecidable
from tokaudit_reference.text.patterns import compiled

MOST_STATES = 5_000
Row = tuple[tuple[int, ...], ...]  # for each class, the state after each mark, or -1
FIRST_LETTERS = {
    "17.0": "\ua7ce",
    "16.0": "\u1c89",
    "15.1": "\U0002ebf0",
    "15.0": "\U00011f02",
    "14.0": "\u0870",
    "13.0": "\u08be",
}
"""A letter that each version of Unicode has first."""


def unicode_version() -> str:
    """Return the Unicode version of the libraries, by which classes are computed."""
    letters = compiled(r"\p{L}")
    known = (v for v, letter in FIRST_LETTERS.items() if letters.fullmatch(letter))
    return next(known, "12.1")


@lru_cache(maxsize=64)
def acceptor(splits: PreTokenizer) -> tuple[tuple[Any, ...], ...]:
    r"""Return the rows of the minimal acceptor; equal rows mean equal splits of every text.

    A row is `("characters", first, class)`, `("move", state, class, mark, state)` or
    `("end", state)`.  The start is state 0.  Raises `Undecidable` where there is no machine.

    >>> from tokaudit.products.compare.patterns.splits import Split
    >>> acceptor((Split("(?:a|b)+"),)) == acceptor((Split("[ab]+"),))
    True
    >>> acceptor((Split("a+"),)) == acceptor((Split("[ab]+"),))
    False
    """
    classes, built = trusted(splits)
    rows, ends = _deterministic(built)
    blocks = _smallest(rows, ends)
    return tuple(_named(classes, rows, ends, blocks))


def _deterministic(built: Machine[Mark]) -> tuple[list[Row], set[int]]:
    """Determinize the machine by the subset construction."""
    start = frozenset({0})
    numbers, waiting, rows = {start: 0}, deque([start]), []
    while waiting:
        states = waiting.popleft()
        row = []
        for name in range(len(built.moves[0])):
            after: dict[Mark, set[int]] = {}
            for state in states:
                for mark, new in built.moves[state][name]:
                    after.setdefault(mark, set()).add(new)
            found = []
            for mark in Mark:
                following = frozenset(after.get(mark, ()))
                if following and following not in numbers:
                    numbers[following] = len(numbers)
                    waiting.append(following)
                found.append(numbers[following] if following else -1)
            row.append(tuple(found))
        rows.append(tuple(row))
        if len(numbers) > MOST_STATES:
            raise Undecidable(f"a smallest machine of more than {MOST_STATES:,} states")
    return rows, {number for states, number in numbers.items() if states & built.ends}


def _smallest(rows: Sequence[Row], ends: set[int]) -> list[int]:
    """Return the block of each state; states with the same future share one (Moore 1956)."""
    blocks = [int(state in ends) for state in range(len(rows))]
    while True:
        names: dict[tuple[object, ...], int] = {}
        after = []
        for state, row in enumerate(rows):
            seen = tuple(tuple(blocks[to] if to >= 0 else -1 for to in moves) for moves in row)
            after.append(names.setdefault((blocks[state], seen), len(names)))
        if len(names) == len(set(blocks)):
            return after
        blocks = after


def _named(
    classes: Partition, rows: Sequence[Row], ends: set[int], blocks: Sequence[int]
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows with classes by first character, and states in order of discovery."""
    of_block = {block: state for state, block in reversed(list(enumerate(blocks)))}
    columns = {
        name: tuple(
            tuple(blocks[to] if to >= 0 else -1 for to in rows[state][name])
            for _, state in sorted(of_block.items())
        )
        for name in range(len(rows[0]))
    }
    names: dict[object, int] = {}
    representative: list[int] = []
    last = -1
    for at, name in classes.segments:
        if columns[name] not in names:
            names[columns[name]] = len(names)
            representative.append(name)
        if names[columns[name]] != last:
            last = names[columns[name]]
            yield "characters", ord(every_scalar()[at]), last
    yield from _moves(rows, ends, blocks, of_block, representative)


def _moves(
    rows: Sequence[Row],
    ends: set[int],
    blocks: Sequence[int],
    of_block: dict[int, int],
    representative: Sequence[int],
) -> Iterator[tuple[Any, ...]]:
    numbers, waiting = {blocks[0]: 0}, deque([blocks[0]])
    while waiting:
        block = waiting.popleft()
        for name, class_ in enumerate(representative):
            for mark, to in enumerate(rows[of_block[block]][class_]):
                if to >= 0:
                    if blocks[to] not in numbers:
                        numbers[blocks[to]] = len(numbers)
                        waiting.append(blocks[to])
                    yield "move", numbers[block], name, mark, numbers[blocks[to]]
        if of_block[block] in ends:
            yield "end", numbers[block]
