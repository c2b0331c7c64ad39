"""Dolma's `.npy`, which is bare ids, with the places of documents in a `.csv.gz` next to it.

Source: `docs/tokenize.md` of allenai/dolma.
"""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.products.data.files import DataFormat, Shard
from tokaudit.products.data.files.batch import Fault, numpy
from tokaudit.products.data.files.files import DataFile, IdDescription
from tokaudit.products.data.files.formats import npy, raw

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tokaudit.products.data.files.flat import FlatShard

MOST_DOCUMENTS = 100_000_000
LARGEST = 1 << 62


def opened(file: DataFile, given: IdDescription) -> Shard:
    """Open the bare ids, with documents from the table; ids between them are a fault."""
    shard: FlatShard = raw.opened(file, given)  # type: ignore[assignment]
    table = _table(file)
    if table is None:
        return replace(shard, info=replace(shard.info, format="dolma"))
    np, faults = numpy(), list(shard.info.faults)
    ends, wrong = _ends(table)
    if wrong:
        faults.append(Fault("table", wrong, table.name))
    found = np.frombuffer(ends, "i8") if len(ends) else np.zeros(0, "i8")
    last = int(found[-1]) if len(found) else 0
    if last != shard.array.count:
        message = f"the last document ends at id {last:,}; there are {shard.array.count:,} ids"
        faults.append(Fault("last end", message, table.name))
    bounds = np.maximum.accumulate(np.minimum(np.insert(found, 0, 0), shard.array.count))

    def cuts(start: int, stop: int) -> NDArray[Any]:
        """Return the starts of documents, and the end of the last."""
        return bounds[start : stop + 1]  # type: ignore[no-any-return]

    info = replace(
        shard.info,
        format="dolma",
        documents=len(found),
        bounded=True,
        files=(file.name, table.name),
        faults=tuple(faults),
    )
    return replace(shard, info=info, cuts=cuts)


def _table(file: DataFile) -> DataFile | None:
    return file.sibling(f"{file.path.stem}.csv.gz")


def _ends(table: DataFile) -> tuple[array[int], str]:
    """Return the ends of documents, and the first line that does not continue them."""
    ends, before, written = array("q"), 0, "0"  # the last end, and how its row has it
    with _rows(table) as rows:
        for row in rows:
            if len(row) < 2:
                continue
            if not row[0] == row[1] == written:  # or no number of the row is new
                if (bounds := _bounds(*row[:2])) is None:
                    continue
                start, end = bounds
                if start != before or end < start:
                    found = f"is said to be [{start:,}, {end:,}) after {before:,}"
                    return ends, f"document {len(ends):,} {found}"
                before, written = end, row[1]
            ends.append(before)
            if len(ends) > MOST_DOCUMENTS:
                raise UnreadableError(
                    f"{table.name}: has more than {MOST_DOCUMENTS:,} documents, the most that "
                    "tokaudit reads"
                )
    return ends, ""


def _bounds(start: str, end: str) -> tuple[int, int] | None:
    """Parse the bounds in a row; None for another row, such as a heading."""
    if not (start.isdecimal() and end.isdecimal()):
        return None
    first, last = int(start), int(end)
    fit = first <= LARGEST and last <= LARGEST  # `min` is slow for each of many
    return (first, last) if fit else (min(first, LARGEST), min(last, LARGEST))


@contextmanager
def _rows(table: DataFile) -> Iterator[Iterator[list[str]]]:
    from tokaudit.products.data.files.unpacking import unpacked

    with io.TextIOWrapper(unpacked(table), "utf-8", "replace", newline="") as lines:
        try:
            yield csv.reader(lines)
        except (csv.Error, ValueError) as error:
            raise UnreadableError(f"{table.name}: cannot be read: {error}") from error


def _recognised(file: DataFile, head: bytes) -> bool:
    return file.path.suffix == ".npy" and not head.startswith(npy.MAGIC)


DATA_FORMAT = DataFormat("dolma", 8, (".npy",), _recognised, opened, (".csv.gz",))
