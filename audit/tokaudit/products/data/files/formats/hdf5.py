"""HDF5 with a data set `input_ids`: an array, or rows, with labels next to it.

Cerebras writes one data set `data` of rows of ids, loss mask and labels.  Nothing outside of the
file is read: data sets that lie in other files are refused.

Source: the file format of HDF5 3.0; `modelzoo` of Cerebras, its HDF5 preprocessing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.foundation.extras import imported
from tokaudit.products.data.files import DataFormat, Piece, Shard
from tokaudit.products.data.files.batch import Batch, Fault, HoldsNoIds, ShardInfo, numpy
from tokaudit.products.data.files.files import DataFile, IdDescription
from tokaudit.products.data.files.flat import FlatShard, of_rows
from tokaudit.products.data.files.records import (
    COLUMNS,
    Names,
    RowBatches,
    names_of,
    refuse_missing,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAGIC = b"\x89HDF\r\n\x1a\n"
ROWS = 4096  # of any length, read at once
LARGEST_CHUNK = 64 << 20  # bytes, unpacked
MOST_NAMES = 1_000
STACK, LOSS = "data", 1  # the data set of Cerebras, and the place of the loss mask after the ids
TROUBLES = (OSError, ValueError, TypeError, KeyError, RuntimeError, NotImplementedError)


@dataclass(frozen=True)
class Column:
    """Reads one data set as a single array; of stacks, the rows at one index."""

    file: DataFile
    name: str
    count: int
    length: int  # of a row
    place: int = -1

    def read(self, start: int, stop: int) -> NDArray[Any]:
        """Read the numbers in `[start, stop)`."""
        with _opened(self.file) as found:
            held = found[self.name]
            if not self.length:
                return held[start:stop]  # type: ignore[no-any-return]
            first, last = start // self.length, -(-stop // self.length)
            rows = held[first:last] if self.place < 0 else held[first:last, self.place]
        flat: NDArray[Any] = rows.reshape(-1)
        return flat[start - first * self.length : stop - first * self.length]


@dataclass(frozen=True)
class RaggedShard:
    """Rows of any length."""

    info: ShardInfo
    file: DataFile
    names: Names

    def pieces(self) -> Sequence[Piece]:
        """Split into fixed numbers of rows."""
        count, step = self.info.documents, 16 * ROWS
        return [Piece(start, min(start + step, count)) for start in range(0, count, step)]

    def batches(self, piece: Piece, separator: int | None) -> Iterator[Batch]:
        """Yield the rows of a piece."""
        rows = RowBatches(self.file.name, self.names, piece.start, piece.start)
        yield from rows.take(self._rows(piece))

    def _rows(self, piece: Piece) -> Iterator[Mapping[str, Any]]:
        used = self.names.used
        with _opened(self.file) as found:
            for start in range(piece.start, piece.stop, ROWS):
                parts = [found[name][start : min(start + ROWS, piece.stop)] for name in used]
                for cells in zip(*parts, strict=True):
                    yield dict(zip(used, cells, strict=True))


def opened(file: DataFile, given: IdDescription) -> Shard:
    """Open the data sets; raise `HoldsNoIds` if none is named like ids."""
    with _opened(file) as found:
        sets = _sets(file, found)
        names = names_of(sets, given.columns)
        if not names.ids:
            if STACK in sets and len(sets[STACK].shape) == 3:
                return _stacked(file, sets[STACK])
            there = ", ".join([*sets][:9])
            raise HoldsNoIds(
                f"{file.name}: no data set of ids was found among {there}; name the data set with "
                "--column"
            )
        refuse_missing(file.name, sets, given.columns)
        ids = sets[names.ids]
        if ids.dtype.kind == "O" and len(ids.shape) == 1:
            return _ragged(file, names, ids)
        return _arrays(file, names, sets)


def _arrays(file: DataFile, names: Names, sets: Mapping[str, Any]) -> Shard:
    ids = sets[names.ids]
    _refuse_others(file, names.ids, ids, (1, 2))
    length = ids.shape[1] if len(ids.shape) == 2 else 0
    columns, faults = {}, []
    for role in COLUMNS:
        name = getattr(names, role)
        if not name:
            continue
        if sets[name].shape == ids.shape and sets[name].dtype.kind in "iu":
            columns[role] = Column(file, name, ids.size, length)
        else:
            stated = f"{name} has the shape {list(sets[name].shape)}, {names.ids} {list(ids.shape)}"
            faults.append(Fault("length", stated, file.name))
    info = _info(file, ids, length, packed=not names.mask, faults=tuple(faults))
    return FlatShard(info, Column(file, names.ids, ids.size, length), of_rows(length), columns)


def _stacked(file: DataFile, found: Any) -> Shard:
    """Open rows of ids, each followed by its loss mask and its labels."""
    _refuse_others(file, STACK, found, (3,))
    rows, places, length = found.shape
    ids, loss = (Column(file, STACK, rows * length, length, place) for place in (0, LOSS))
    columns = {"loss": loss} if places > LOSS else {}
    return FlatShard(_info(file, found, length), ids, of_rows(length), columns)


def _ragged(file: DataFile, names: Names, ids: Any) -> Shard:
    kind = library().check_vlen_dtype(ids.dtype)
    if kind is None or kind.kind not in "iu":
        raise UnreadableError(f"{file.name}: the data set {names.ids!r} contains no whole numbers")
    own = (file.name,)
    info = ShardInfo(file.name, "hdf5", str(kind), -1, ids.shape[0], file.size, own)
    return RaggedShard(info, file, names)


def _info(
    file: DataFile, held: Any, length: int, *, packed: bool = True, faults: tuple[Fault, ...] = ()
) -> ShardInfo:
    rows = held.shape[0] if length else 0
    return ShardInfo(
        file.name,
        "hdf5",
        str(held.dtype),
        rows * length if length else held.size,
        rows,
        file.size,
        (file.name,),
        bounded=bool(length),
        packed=bool(length) and packed,
        faults=faults,
    )


def _sets(file: DataFile, found: Any) -> dict[str, Any]:
    """Return the top-level data sets; raise `UnreadableError` for external storage."""
    h5 = library()
    if len(found) > MOST_NAMES:
        raise UnreadableError(
            f"{file.name}: has more than {MOST_NAMES:,} data sets and groups, the most that "
            "tokaudit reads"
        )
    here = [name for name in found if isinstance(found.get(name, getlink=True), h5.HardLink)]
    sets = {name: found[name] for name in here if isinstance(found[name], h5.Dataset)}
    for name, each in sets.items():
        if each.external or each.is_virtual:
            raise UnreadableError(
                f"{file.name}: the values of the data set {name!r} are in another file"
            )
        chunk = numpy().prod(each.chunks or (0,), dtype="O") * each.dtype.itemsize
        if chunk > LARGEST_CHUNK:
            limit = LARGEST_CHUNK >> 20
            raise UnreadableError(
                f"{file.name}: a chunk of the data set {name!r} is larger than {limit} MB; write "
                "smaller chunks"
            )
    return sets


def _refuse_others(file: DataFile, name: str, found: Any, dimensions: Sequence[int]) -> None:
    if found.dtype.kind not in "iu":
        raise UnreadableError(
            f"{file.name}: the data set {name!r} has type {found.dtype}; ids must be whole numbers"
        )
    if found.shape is None or len(found.shape) not in dimensions:
        raise UnreadableError(
            f"{file.name}: the data set {name!r} has shape {found.shape}; expected "
            f"{' or '.join(map(str, dimensions))} dimensions"
        )


@contextmanager
def _opened(file: DataFile) -> Iterator[Any]:
    with file.open() as raw:
        try:
            with library().File(raw, "r") as found:
                yield found
        except TROUBLES as error:
            if isinstance(error, UnreadableError):
                raise
            why = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
            raise UnreadableError(f"{file.name}: cannot be read as HDF5: {why}") from error


def library() -> Any:
    """Return h5py; raise `UsageError` with the command to install it."""
    return imported("h5py", "hdf5")


def _recognised(file: DataFile, head: bytes) -> bool:
    return head.startswith(MAGIC)


DATA_FORMAT = DataFormat("hdf5", 3, (".h5", ".hdf5"), _recognised, opened)
