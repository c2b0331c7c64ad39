"""Rows of values in which every two values of two features meet that can; always the same rows.

Each row begins with the pair that is first among those left, and takes for every other feature the
value that meets most of them.  At the end a row goes if the others have all of its pairs.  Any two
values of plain conversations meet in a plain one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from tokaudit.products.chat.rendering.grammar.features import (
    FEATURES,
    NONE,
    PLAIN,
    Choice,
    allowed,
    has_room,
    is_plain,
)

Value = tuple[str, str]
"""A feature and one of its values."""
Pair = tuple[Value, Value]
PLACES = {feature: place for place, feature in enumerate(FEATURES)}


Values = Mapping[str, tuple[str, ...]]


def pairs(values: Values = FEATURES) -> list[Pair]:
    """Every two of these values that one conversation may have."""
    return [
        ((one, value), (other, second))
        for one, other in combinations(values, 2)
        for value in values[one]
        for second in values[other]
        if completed({one: value, other: second}, Counter(), values) is not None
    ]


def completed(chosen: Choice, left: Counter[Pair], values: Values = FEATURES) -> Choice | None:
    """A row of these values that has the chosen and meets many pairs; None where there is none."""
    if not allowed(chosen):
        return None
    feature = next((name for name in values if name not in chosen), None)
    if feature is None:
        plain = values is FEATURES or is_plain(chosen)
        return {name: chosen[name] for name in values} if plain else None
    room = has_room(feature, chosen)
    given = [*values[feature], *([NONE] if room is not True else [])]
    gains = {value: _gain(chosen, (feature, value), left) for value in given}
    for value in sorted(given, key=lambda value: -gains[value]):
        if found := completed({**chosen, feature: value}, left, values):
            return found
    return None


def _gain(row: Choice, value: Value, left: Counter[Pair]) -> int:
    return sum(left[_pair(value, each)] for each in row.items())


def _pair(one: Value, other: Value) -> Pair:
    return (one, other) if PLACES[one[0]] < PLACES[other[0]] else (other, one)


def met(row: Choice) -> Iterator[Pair]:
    """The pairs of a row."""
    yield from combinations([each for each in row.items() if each[1] != NONE], 2)


def covering() -> list[Choice]:
    """The rows: plain ones in which any two plain values meet, then those for the other pairs."""
    plain = without_needless(_rows(pairs(PLAIN), PLAIN))
    left = Counter(pairs())
    left.subtract({each: left[each] for row in plain for each in met(row)})
    others = _rows([pair for pair, count in left.items() if count], FEATURES)
    return [*plain, *without_needless(others)]


def _rows(wanted: Sequence[Pair], values: Values) -> list[Choice]:
    left, rows = Counter(wanted), []
    for pair in wanted:
        if left[pair]:
            row = completed(dict(pair), left, values)
            assert row is not None
            rows.append(row)
            left.subtract({each: left[each] for each in met(row)})
    return rows


def without_needless(rows: Sequence[Choice]) -> list[Choice]:
    """The rows, of which each has a pair that no other has.

    >>> without_needless([{"a": "1", "b": "1"}, {"a": "1", "b": "1", "c": "1"}])
    [{'a': '1', 'b': '1', 'c': '1'}]
    """
    counts = Counter(pair for row in rows for pair in met(row))
    kept = []
    for row in rows:
        if all(counts[pair] > 1 for pair in met(row)):
            counts.subtract(met(row))
        else:
            kept.append(row)
    return kept
