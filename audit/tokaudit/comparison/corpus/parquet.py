"""The documents of a Parquet file, some rows at a time; pyarrow is asked for when there is one."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.subject.content import regular


def rows(path: Path, fields: Sequence[str], at_once: int) -> Iterator[str]:
    """The texts in the first of the columns that the file has; raises for a row without one."""
    parquet = library()
    with io.BufferedReader(regular(path, str(path))) as opened:  # type: ignore[type-var]
        try:
            # Without pre_buffer no more is held than the pages that are being read.
            file = parquet.ParquetFile(opened, pre_buffer=False)
            column = _column(file, path, fields)
            number = 0
            for batch in file.iter_batches(batch_size=at_once, columns=[column]):
                for text in batch.column(0).to_pylist():
                    number += 1
                    if not isinstance(text, str):
                        raise UnreadableError(f"{path}: row {number} has no text in {column}")
                    yield text
        except (
            OSError,
            ValueError,
            NotImplementedError,
        ) as error:  # pyarrow's too
            raise UnreadableError(f"{path} is not Parquet that can be read: {error}") from error


def _column(file: Any, path: Path, fields: Sequence[str]) -> str:
    names = file.schema_arrow.names
    found = next((name for name in fields if name in names), None)
    if found is None:
        wanted = " or ".join(fields)
        raise UnreadableError(f"{path}: expected a column {wanted}; there are {', '.join(names)}")
    return found


def library() -> Any:
    """What reads Parquet; raises `UsageError` with the command that installs it."""
    try:
        from pyarrow import parquet
    except ImportError:
        raise UsageError("pyarrow is not installed; run: pip install 'tokaudit[parquet]'") from None
    return parquet
