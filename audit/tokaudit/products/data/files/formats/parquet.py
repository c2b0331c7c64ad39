"""Parquet with lists of ids: `input_ids` and the columns next to it, or prompts and responses."""

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
from tokaudit.products.data.files.records import Names, RowBatches, names_of, refuse_missing

ROWS = 4096  # read at once
LARGEST_GROUP = 4 << 30  # bytes of a row group, unpacked


@dataclass(frozen=True)
class ParquetShard:
    """The row groups of one file."""

    info: ShardInfo
    file: DataFile
    names: Names
    groups: tuple[int, ...]  # the number of the first row of each, and that of all

    def pieces(self) -> Sequence[Piece]:
        """Return one piece for each row group."""
        return [Piece(number, number + 1) for number in range(len(self.groups) - 1)]

    def batches(self, piece: Piece, separator: int | None) -> Iterator[Batch]:
        """Yield the rows of a group."""
        first = self.groups[piece.start]
        rows = RowBatches(self.file.name, self.names, first, first)
        with io.BufferedReader(self.file.open()) as opened:  # type: ignore[type-var]
            yield from rows.take(self._rows(opened, piece))

    def _rows(self, opened: Any, piece: Piece) -> Iterator[dict[str, Any]]:
        try:
            file = library().ParquetFile(opened, pre_buffer=False)
            groups = list(range(piece.start, piece.stop))
            left = self.groups[piece.stop] - self.groups[piece.start]
            for batch in file.iter_batches(ROWS, groups, columns=list(self.names.used)):
                left -= batch.num_rows
                columns = [batch.column(name) for name in self.names.used]
                for number in range(batch.num_rows):
                    yield {
                        name: values_of(column[number])
                        for name, column in zip(self.names.used, columns, strict=True)
                    }
            if left:
                raise ValueError(f"a row group states {left:,} rows more than it has")
        except (OSError, ValueError, NotImplementedError) as error:
            raise UnreadableError(f"{self.file.name}: cannot be read: {error}") from error


def values_of(cell: Any) -> Any:
    """Return the numbers of a list cell; None if it is empty or something else."""
    values = getattr(cell, "values", None)
    if values is None:
        return None
    return values.to_numpy(zero_copy_only=False) if not values.null_count else values.to_pylist()


def opened(file: DataFile, given: IdDescription) -> Shard:
    """Open the file by its footer; raise `UnreadableError` without one."""
    with io.BufferedReader(file.open()) as found:  # type: ignore[type-var]
        try:
            stated = library().ParquetFile(found, pre_buffer=False)
            names = names_of(stated.schema_arrow.names, given.columns)
            held = stated.metadata
            groups = [held.row_group(number) for number in range(held.num_row_groups)]
        except (OSError, ValueError, NotImplementedError) as error:
            raise UnreadableError(f"{file.name}: cannot be read as Parquet: {error}") from error
    if not names.hold_ids:
        there = ", ".join(stated.schema_arrow.names[:9])
        raise HoldsNoIds(
            f"{file.name}: no column of ids was found among {there}; name the column with --column"
        )
    if any(not 0 <= group.total_byte_size <= LARGEST_GROUP for group in groups):
        raise UnreadableError(
            f"{file.name}: a row group has more than {LARGEST_GROUP >> 30} GB; write smaller row "
            "groups"
        )
    refuse_missing(file.name, stated.schema_arrow.names, given.columns)
    kind = stated.schema_arrow.field(names.ids or names.response).type
    inner = getattr(kind, "value_type", kind)
    first = [0]
    for group in groups:
        first.append(first[-1] + group.num_rows)
    info = ShardInfo(
        file.name,
        "parquet",
        str(inner),
        -1,
        first[-1],
        file.size,
        (file.name,),
        rollout=bool(names.response),
    )
    return ParquetShard(info, file, names, tuple(first))


def library() -> Any:
    """Return pyarrow; raise `UsageError` with the command to install it."""
    return imported("pyarrow.parquet", "data")


def _recognised(file: DataFile, head: bytes) -> bool:
    return head.startswith(b"PAR1")


DATA_FORMAT = DataFormat("parquet", 4, (".parquet", ".pq"), _recognised, opened)
