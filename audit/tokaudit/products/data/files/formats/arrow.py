"""Arrow's streams and files with lists of ids, as `datasets` keeps them on disk.

Source: `docs/source/format/Columnar.rst` of apache/arrow.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.foundation.extras import imported
from tokaudit.products.data.files import DataFormat, Piece, Shard
from tokaudit.products.data.files.batch import Batch, HoldsNoIds, ShardInfo
from tokaudit.products.data.files.files import DataFile, IdDescription
from tokaudit.products.data.files.formats.parquet import values_of
from tokaudit.products.data.files.records import Names, RowBatches, names_of, refuse_missing

FILE = b"ARROW1\0\0"
STREAM = b"\xff\xff\xff\xff"
TROUBLES = (OSError, ValueError, NotImplementedError, MemoryError)


@dataclass(frozen=True)
class ArrowShard:
    """The rows of one file, a single piece, since a stream is read in order."""

    info: ShardInfo
    file: DataFile
    names: Names

    def pieces(self) -> Sequence[Piece]:
        """Return the whole as one piece."""
        return [Piece(0, -1)]

    def batches(self, piece: Piece, separator: int | None) -> Iterator[Batch]:
        """Yield the rows in order."""
        rows = RowBatches(self.file.name, self.names)
        with io.BufferedReader(self.file.open()) as opened:  # type: ignore[type-var]
            yield from rows.take(self._rows(opened))

    def _rows(self, opened: Any) -> Iterator[dict[str, Any]]:
        used = self.names.used
        try:
            for batch in _batches(opened):
                columns = [batch.column(name) for name in used]
                for column in columns:
                    column.validate(full=True)  # else an offset that lies ends the process
                for number in range(batch.num_rows):
                    cells = zip(used, columns, strict=True)
                    yield {name: values_of(column[number]) for name, column in cells}
        except TROUBLES as error:
            why = str(error) or "the file states more data than fits into memory"
            raise UnreadableError(f"{self.file.name}: cannot be read: {why}") from error


def _batches(opened: Any) -> Iterator[Any]:
    """Yield the record batches of a stream, or of a file with a table of contents."""
    reader = _reader(opened)
    if not hasattr(reader, "num_record_batches"):
        yield from reader
        return
    for number in range(reader.num_record_batches):
        yield reader.get_batch(number)


def _reader(opened: Any) -> Any:
    is_file = opened.peek(len(FILE)).startswith(FILE[:6])
    return library().open_file(opened) if is_file else library().open_stream(opened)


def opened(file: DataFile, given: IdDescription) -> Shard:
    """Open the file by the schema at its beginning or end."""
    with io.BufferedReader(file.open()) as found:  # type: ignore[type-var]
        try:
            schema = _reader(found).schema
        except TROUBLES as error:
            raise UnreadableError(f"{file.name}: cannot be read as Arrow: {error}") from error
    names = names_of(schema.names, given.columns)
    if not names.hold_ids:
        there = ", ".join(schema.names[:9])
        raise HoldsNoIds(
            f"{file.name}: no column of ids was found among {there}; name the column with --column"
        )
    refuse_missing(file.name, schema.names, given.columns)
    kind = schema.field(names.ids or names.response).type
    dtype = str(getattr(kind, "value_type", kind))
    own, rollout = (file.name,), bool(names.response)
    info = ShardInfo(file.name, "arrow", dtype, -1, -1, file.size, own, rollout=rollout)
    return ArrowShard(info, file, names)


def library() -> Any:
    """Return pyarrow; raise `UsageError` with the command to install it."""
    return imported("pyarrow.ipc", "data")


def _recognised(file: DataFile, head: bytes) -> bool:
    return file.path.suffix == ".arrow" and head.startswith((FILE, STREAM))


DATA_FORMAT = DataFormat("arrow", 4, (".arrow",), _recognised, opened)
