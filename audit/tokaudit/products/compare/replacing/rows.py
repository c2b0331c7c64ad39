"""Effect of a new tokenizer on the embedding: kept ids, and size."""

from __future__ import annotations

from tokaudit.engine.sides.side import Side
from tokaudit.report.replacement import ModelRows

MULTIPLES = (64, 128)


def model_rows(left: Side, right: Side, width: int) -> ModelRows:
    """Compare the embedding rows of both sides by their tokens.

    Tokens are compared by what they are, so that vocabularies of different formats can be.
    """
    ours, theirs = left.values, right.values
    kept = sum(theirs.get(id) == value for id, value in ours.items())
    both = {*ours.values()} & {*theirs.values()}
    again = sum(value in both for value in theirs.values())
    rows = rows_of(left), rows_of(right)
    return ModelRows(
        width=width,
        rows=rows,
        rounded=(_rounded(rows[0]), _rounded(rows[1])),
        kept=kept,
        moved=max(0, again - kept),
        gone=sum(value not in both for value in ours.values()),
        new=len(theirs) - again,
    )


def rows_of(side: Side) -> int:
    """Count the rows that the ids of a side need."""
    return max(side.values, default=-1) + 1


def _rounded(rows: int) -> tuple[int, int]:
    """Round the rows up to each multiple.

    >>> _rounded(50257)
    (50304, 50304)
    """
    first, second = (-(-rows // multiple) * multiple for multiple in MULTIPLES)
    return first, second
