"""Norms of plain tokens' rows, and distances from their mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from tokaudit.subject.weights.rows import MatrixRows, Values, values
from tokaudit.subject.weights.vectors import vectors

NEAR = 0.5  # of the median distance; in a published model reserved rows have 0.35 to 0.45
MOST_NUMBERS = 4_000_000  # of one matrix
WITH_ALL_ROWS = 64_000_000  # with --read-embeddings
HUGE = 1e60  # no model has such numbers, whose squares and sums would overflow


@dataclass(frozen=True, slots=True)
class RowDistance:
    """A row: its token's id, its distance from the mean and its norm."""

    id: int
    distance: float
    norm: float


@dataclass(frozen=True, slots=True)
class Distances:
    """The measured rows, nearest first."""

    rows: tuple[RowDistance, ...]
    median: float

    @property
    def near(self) -> tuple[RowDistance, ...]:
        """Return rows nearer to the mean than half the median distance."""
        return tuple(row for row in self.rows if row.distance < NEAR * self.median)

    def spread(self, most: int) -> Iterator[RowDistance]:
        """Yield some rows, evenly spread by distance."""
        yield from self.rows[:: len(self.rows) // most + 1]


def distances(
    matrix: MatrixRows, ids: Sequence[int], most_numbers: int, *, quickly: bool = False
) -> Distances | None:
    """Measure these rows, or an even sample of them; None for fewer than two.

    Rows are decoded twice, so that their bytes alone are held.
    """
    usable = [id for id in ids if _is_usable(matrix, id)]
    if len(usable) < 2:
        return None
    measure = vectors(matrix.dtype, quickly=quickly)
    width = max(1, len(measure.of(matrix.rows[usable[0]])))
    chosen = usable[:: len(usable) * width // most_numbers + 1]
    decoded = ((id, measure.of(matrix.rows[id])) for id in chosen)
    kept = [id for id, vector in decoded if measure.largest(vector) < HUGE]
    if len(kept) < 2:
        return None
    mean = measure.mean(measure.of(matrix.rows[id]) for id in kept)
    every = ((id, measure.of(matrix.rows[id])) for id in kept)
    rows = [RowDistance(id, measure.distance(v, mean), measure.length(v)) for id, v in every]
    rows.sort(key=lambda row: (row.distance, row.id))
    return Distances(tuple(rows), median(row.distance for row in rows))


def _is_usable(matrix: MatrixRows, id: int) -> bool:
    row = matrix.rows.get(id)
    return row is not None and values(row, matrix.dtype) is Values.USABLE
