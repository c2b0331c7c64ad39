"""Kinds of rows that differ from the rows of ordinary tokens."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto
from statistics import fmean, median

from tokaudit.subject.weights.number_types import NUMBERS
from tokaudit.subject.weights.rows import MatrixRows, Values, length, values

SHORT, LESS = 1 / 1_000, 1 / 500  # of the median length of ordinary rows
NEAR = 1 / 1_000  # of the median distance of ordinary rows from their mean
SAMPLED, AT_MOST = 2.0, 0.1  # the mean of n rows is that of all but for about 1 / sqrt(n) of it
FAR = 30  # times the median distance: new rows of deviation 1 are 50 times too long
MOST_MEASURED = 2_000  # rows; a tokenizer has at most some thousand added tokens


class Kind(Enum):
    """A kind of row unlike ordinary rows."""

    ZERO = auto()
    NOT_NUMBERS = auto()
    TINY = auto()
    SMALL = auto()
    AT_THE_MEAN = auto()
    FAR = auto()


def kinds_of_rows(
    rows: MatrixRows, ids: Iterable[int], sample: Iterable[int]
) -> Mapping[Kind, frozenset[int]]:
    """Sort rows by kind: zeros and NaNs among all rows read, other kinds among `ids`."""
    whole = {id: values(row, rows.dtype) for id, row in rows.rows.items()}
    usable = [id for id in sorted(ids) if whole.get(id) is Values.USABLE][:MOST_MEASURED]
    ordinary = [rows.rows[id] for id in sample if whole.get(id) is Values.USABLE]
    lengths = relative_lengths(rows, usable, ordinary)
    tiny = frozenset(id for id, long in lengths.items() if long < SHORT)
    small = frozenset(id for id, long in lengths.items() if SHORT <= long < LESS)
    distances = _distances(rows, usable, ordinary)
    near = min(max(SAMPLED / math.sqrt(len(ordinary) or 1), NEAR), AT_MOST)
    return {
        Kind.ZERO: frozenset(id for id, value in whole.items() if value is Values.ZERO),
        Kind.NOT_NUMBERS: frozenset(i for i, value in whole.items() if value is Values.NOT_NUMBERS),
        Kind.TINY: tiny,
        Kind.SMALL: small,
        Kind.AT_THE_MEAN: frozenset(i for i, far in distances.items() if far <= near)
        - tiny
        - small,
        Kind.FAR: frozenset(i for i, far in distances.items() if far >= FAR),
    }


def relative_lengths(
    rows: MatrixRows, ids: Iterable[int], ordinary: Sequence[bytes]
) -> dict[int, float]:
    """Return the norms of rows, relative to the median of ordinary rows."""
    usual = median(length(row, rows.dtype) for row in ordinary) if ordinary else 0.0
    return {id: length(rows.rows[id], rows.dtype) / usual for id in ids} if usual else {}


def _distances(rows: MatrixRows, ids: Iterable[int], ordinary: list[bytes]) -> dict[int, float]:
    """Return the distances of rows from the mean of ordinary ones, relative to their median."""
    if len(ordinary) < 2:
        return {}
    decode = NUMBERS[rows.dtype]
    decoded = [decode(row) for row in ordinary]
    mean = [fmean(column) for column in zip(*decoded, strict=True)]
    usual = median(math.dist(row, mean) for row in decoded)
    return {id: math.dist(decode(rows.rows[id]), mean) / usual for id in ids} if usual else {}
