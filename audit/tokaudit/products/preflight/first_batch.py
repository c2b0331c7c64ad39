"""Read the first batch of a collator: rows of whole numbers in any container.

A value is read by `tolist()` where it has that, as tensors of torch and arrays of numpy do, else as
lists; rows may be tensors of their own.  A batch without padding may be one row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokaudit.foundation.errors import UsageError

MOST_ROWS = 64  # that are judged; a larger batch repeats its faults
MOST_IDS = 1_000_000
IDS, LABELS, MASK, POSITIONS = "input_ids", "labels", "attention_mask", "position_ids"
IGNORED = -100  # the label that no loss is taken of

Numbers = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One row: the ids, and columns next to them; None if missing."""

    ids: Numbers
    labels: Numbers | None = None
    mask: Numbers | None = None
    positions: Numbers | None = None


@dataclass(frozen=True, slots=True)
class FirstBatch:
    """Rows to check, their number, and ignored columns with the reason."""

    rows: tuple[Row, ...]
    count: int
    left_aside: Mapping[str, str]

    @property
    def has_labels(self) -> bool:
        """Return whether any row has labels next to its ids."""
        return any(row.labels is not None for row in self.rows)


def first_batch(given: Any) -> FirstBatch:
    """Read a batch; raise `UsageError` if it is none, or its ids are not whole numbers."""
    try:
        found = {key: given[key] for key in (IDS, LABELS, MASK, POSITIONS) if key in given}
    except TypeError:
        raise UsageError(
            f"batch: expected a mapping with the key {IDS!r}, not {type(given).__name__}"
        ) from None
    if IDS not in found:
        raise UsageError(f"batch: the key {IDS!r} is missing")
    count, ids = _rows_of(IDS, found.pop(IDS))
    if ids is None:
        raise UsageError(f"batch: {IDS} is not a list of rows of whole numbers")
    left_aside: dict[str, str] = {}
    columns: dict[str, list[Numbers]] = {}
    for key, value in found.items():
        rows = None if value is None else _rows_of(key, value)[1]
        if rows is not None and list(map(len, rows)) == list(map(len, ids)):
            columns[key] = rows
        elif value is not None:
            left_aside[key] = _form(rows)
    keys = {LABELS: "labels", MASK: "mask", POSITIONS: "positions"}
    judged = (
        Row(row, **{keys[key]: column[index] for key, column in columns.items()})
        for index, row in enumerate(ids)
    )
    return FirstBatch(tuple(judged), count, left_aside)


def _form(rows: Sequence[Numbers] | None) -> str:
    """Describe a column that does not fit the ids."""
    if rows is None:
        return "is not made of rows of whole numbers"
    return f"has rows of {', '.join(str(len(row)) for row in rows[:4])} entries"


def _rows_of(key: str, value: Any) -> tuple[int, list[Numbers] | None]:
    """Count the rows of a value, and read the first of them; None if they are invalid."""
    shape = getattr(value, "shape", None)
    if shape is not None and len(shape) > 2:
        return len(value), None
    if shape is None and not isinstance(value, Sequence):
        return 0, None
    count = len(value)
    rows = _listed(value[:MOST_ROWS] if shape is None or len(shape) == 2 else value)
    rows = [_listed(row) for row in rows]
    if rows and not any(isinstance(row, list) for row in rows):
        return 1, _whole([rows if shape is not None else _listed(value)])
    return count, _whole(rows)


def _listed(value: Any) -> Any:
    value = value.tolist() if hasattr(value, "tolist") else value
    return list(value) if isinstance(value, tuple) else value


def _whole(rows: Sequence[Any]) -> list[Numbers] | None:
    """Return rows of whole numbers; a mask may have truth values."""
    found: list[Numbers] = []
    for row in rows:
        row = [_listed(each) for each in row] if isinstance(row, list) else None
        if row is None or not all(isinstance(each, int) for each in row):
            return None
        found.append(tuple(map(int, row)))
        if sum(map(len, found)) > MOST_IDS:
            break
    return found
