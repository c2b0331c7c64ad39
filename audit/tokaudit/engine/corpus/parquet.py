"""Documents of a Parquet file, some rows at a time; pyarrow is imported on demand."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.foundation.extras import imported
from tokaudit.subject.sources import regular

TROUBLES = (OSError, ValueError, NotImplementedError)  # pyarrow's are among them


def groups(path: Path) -> int:
    """Count the row groups of a file; raise `UnreadableError` if it is not Parquet."""
    parquet = library()
    with io.BufferedReader(regular(path, str(path))) as opened:  # type: ignore[type-var]
        try:
            return int(parquet.ParquetFile(opened, pre_buffer=False).num_row_groups)
        except TROUBLES as error:
            raise UnreadableError(f"{path}: cannot be read as Parquet: {error}") from error


def rows(
    path: Path, fields: Sequence[str], at_once: int, wanted: Sequence[int], name: str
) -> Iterator[str]:
    """Yield the texts of some row groups, from the first of the columns that the file has.

    Raises `UnreadableError`, with the file's `name`, for a row without one.
    """
    parquet = library()
    with io.BufferedReader(regular(path, str(path))) as opened:  # type: ignore[type-var]
        try:
            # Without pre_buffer no more is held than the pages that are being read.
            file = parquet.ParquetFile(opened, pre_buffer=False)
            column = _column(file, name, fields)
            held = file.metadata
            number = sum(held.row_group(each).num_rows for each in range(min(wanted, default=0)))
            asked = {"row_groups": list(wanted), "columns": [column]}
            for batch in file.iter_batches(batch_size=at_once, **asked):
                for text in batch.column(0).to_pylist():
                    number += 1
                    if not isinstance(text, str):
                        raise UnreadableError(
                            f"{name}: row {number} has no text in the column {column!r}"
                        )
                    yield text
        except TROUBLES as error:
            raise UnreadableError(f"{name}: cannot be read as Parquet: {error}") from error


def _column(file: Any, name: str, fields: Sequence[str]) -> str:
    names = file.schema_arrow.names
    found = next((each for each in fields if each in names), None)
    if found is None:
        wanted = " or ".join(map(repr, fields))
        raise UnreadableError(
            f"{name}: expected a column {wanted}; its columns are {', '.join(names)}"
        )
    return found


def library() -> Any:
    """Return the Parquet library; raise `UsageError` with the command to install it."""
    return imported("pyarrow.parquet", "parquet")
