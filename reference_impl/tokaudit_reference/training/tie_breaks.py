"""Defines the rules that choose among equally frequent pairs, by name.

A rule gives a pair a key.  Of equally frequent pairs the one with the least key wins, and of equal
keys the one with the lowest ids.  A key may be out of date when it is looked at again, but only
ever by being too small; the trainer relies on that.  Nothing is counted here.

Source: the BPE trainer of Hugging Face's tokenizers and rustbpe (`lowest_id`), the first assignment
of Stanford's CS336 (`lexicographic_max`), minbpe (`first_seen`), SentencePiece's BPE (`shortest`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

Value = bytes | str
Pair = tuple[int, int]  # of symbols, which are numbered by age


class Counted(Protocol):
    """The state of a trainer that a rule may read."""

    values: list[Value]  # what each symbol stands for
    older: Mapping[Value, int]  # values that have lower ids than all symbols, as special tokens may

    def first_place(self, pair: Pair) -> tuple[int, int]:
        """Return the first word that holds a pair, and the distance of the pair into it."""
        ...


Rule = Callable[[Counted, Pair], Any]


def lowest_id(counted: Counted, pair: Pair) -> tuple[int, ...] | None:
    """Prefer the pair whose first symbol is oldest, then the second: the order without a key."""
    if not counted.older:
        return None
    first = len(counted.older)
    return tuple(counted.older.get(counted.values[each], first + each) for each in pair)


def lexicographic_max(counted: Counted, pair: Pair) -> tuple[tuple[int, ...], ...]:
    """Prefer the pair that comes last in the order of its symbols' values."""
    return tuple(falling(counted.values[symbol]) for symbol in pair)


def first_seen(counted: Counted, pair: Pair) -> tuple[int, int]:
    """Prefer the pair that comes first in the text as it is merged so far."""
    return counted.first_place(pair)


def shortest(counted: Counted, pair: Pair) -> tuple[int, Value]:
    """Prefer the pair that makes the shortest token, then the first in their order."""
    first, second = (counted.values[symbol] for symbol in pair)
    made: Any = first + second  # type: ignore[operator]
    return len(made), made


def falling(value: Value) -> tuple[int, ...]:
    """Return a key that sorts in the reverse order of its value.

    >>> sorted([b"a", b"ab", b"b", b""], key=falling)
    [b'b', b'ab', b'a', b'']
    """
    codes = value if isinstance(value, bytes) else map(ord, value)
    return (*(-code for code in codes), 1)


RULES: dict[str, Rule] = {
    "lowest_id": lowest_id,
    "lexicographic_max": lexicographic_max,
    "first_seen": first_seen,
    "shortest": shortest,
}
