"""A finite automaton that reads a text and marks where it is split.

It may have several moves for one character, as whether a cut is right can depend on what follows.
But for every text exactly one way leads to an end, and its marks are the cuts of that text.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from time import monotonic
from typing import Generic, TypeVar

from tokaudit.products.compare.patterns.verdicts import Undecidable

MOST_STATES = 20_000
TIME = 10.0  # seconds


class Mark(IntEnum):
    """The mark of a character: it continues a piece, begins one, or is in none."""

    JOINED = 0  # it goes on with the piece of the character before it
    CUT = 1  # it begins a piece
    GONE = 2  # it is in no piece


State = TypeVar("State", bound=Hashable)
Sign = TypeVar("Sign")  # what a move says of its character: a Mark, or one for either side


@dataclass(frozen=True, slots=True)
class Machine(Generic[Sign]):
    """States are numbers, 0 the start, each with moves for each class of characters."""

    moves: tuple[tuple[tuple[tuple[Sign, int], ...], ...], ...]
    ends: frozenset[int]


def explored(
    start: State,
    moves: Callable[[State, int], Iterable[tuple[Sign, State]]],
    may_end: Callable[[State], bool],
    classes: int,
) -> Machine[Sign]:
    """Build the machine of all states between the start and an end."""
    numbers: dict[State, int] = {start: 0}
    waiting, rows, until = deque([start]), [], monotonic() + TIME
    while waiting:
        state = waiting.popleft()
        row = []
        for name in range(classes):
            found = []
            for mark, after in moves(state, name):
                if after not in numbers:
                    numbers[after] = len(numbers)
                    waiting.append(after)
                found.append((mark, numbers[after]))
            row.append(tuple(found))
        rows.append(row)
        if len(numbers) > MOST_STATES or monotonic() > until:
            raise Undecidable(f"a pattern of more than {min(len(numbers), MOST_STATES):,} states")
    return _trimmed(rows, {numbers[state] for state in numbers if may_end(state)})


def _trimmed(rows: list[list[tuple[tuple[Sign, int], ...]]], ends: set[int]) -> Machine[Sign]:
    """Remove states that cannot reach an end: their guesses were wrong."""
    before: list[set[int]] = [set() for _ in rows]
    for state, row in enumerate(rows):
        for moves in row:
            for _, after in moves:
                before[after].add(state)
    useful, waiting = set(ends), list(ends)
    while waiting:
        for state in before[waiting.pop()] - useful:
            useful.add(state)
            waiting.append(state)
    kept = {state: i for i, state in enumerate(sorted(useful))}
    return Machine(
        tuple(
            tuple(tuple((m, kept[s]) for m, s in moves if s in kept) for moves in rows[state])
            for state in kept
        ),
        frozenset(kept[state] for state in ends),
    )


Way = tuple[tuple[int, Sign], ...]  # classes of characters, and what is said of each


def ways_from_the_start(built: Machine[Sign]) -> dict[int, Way[Sign]]:
    """Return a shortest path to each state."""
    ways: dict[int, Way[Sign]] = {0: ()}
    waiting = deque([0])
    while waiting:
        state = waiting.popleft()
        for name, moves in enumerate(built.moves[state]):
            for sign, after in moves:
                if after not in ways:
                    ways[after] = (*ways[state], (name, sign))
                    waiting.append(after)
    return ways


def ways_to_an_end(built: Machine[Sign]) -> dict[int, Way[Sign]]:
    """Return a shortest path from each state to an end."""
    before: dict[int, list[tuple[int, int, Sign]]] = {}
    for state, row in enumerate(built.moves):
        for name, moves in enumerate(row):
            for sign, after in moves:
                before.setdefault(after, []).append((state, name, sign))
    ways: dict[int, Way[Sign]] = dict.fromkeys(sorted(built.ends), ())
    waiting = deque(ways)
    while waiting:
        after = waiting.popleft()
        for state, name, sign in before.get(after, []):
            if state not in ways:
                ways[state] = ((name, sign), *ways[after])
                waiting.append(state)
    return ways
