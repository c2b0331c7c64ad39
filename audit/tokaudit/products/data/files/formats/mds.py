"""MosaicML Streaming's `.mds`: samples of which a column is ids; compressed shards are not read.

Source: `streaming/base/format/mds/` of mosaicml/streaming.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec

from tokaudit.foundation.errors import UnreadableError
from tokaudit.foundation.typed_values import read_json
from tokaudit.products.data.files import DataFormat, Piece, Shard
from tokaudit.products.data.files.batch import Batch, Fault, HoldsNoIds, ShardInfo, numpy
from tokaudit.products.data.files.files import DataFile, IdDescription
from tokaudit.products.data.files.records import Names, RowBatches, names_of

LONGEST_HEADER = 1 << 20
SAMPLES_OF_A_PIECE = 1 << 14
LARGEST_SAMPLE = 64 << 20  # bytes
SHAPES = ("<u1", "<u2", "<u4", "<u8")


@dataclass(frozen=True)
class MdsShard:
    """The samples of one shard; `columns` are names and types, in order."""

    info: ShardInfo
    file: DataFile
    names: Names
    columns: tuple[tuple[str, str, int | None], ...]

    def pieces(self) -> Sequence[Piece]:
        """Split into fixed numbers of samples."""
        whole, step = self.info.documents, SAMPLES_OF_A_PIECE
        return [Piece(start, min(start + step, whole)) for start in range(0, whole, step)]

    def batches(self, piece: Piece, separator: int | None) -> Iterator[Batch]:
        """Yield the samples of a piece as rows."""
        count = piece.stop - piece.start + 1
        places = struct.unpack(f"<{count}I", self.file.read(4 + 4 * piece.start, 4 * count))
        rows = RowBatches(self.file.name, self.names, piece.start, piece.start)
        yield from rows.take(self._rows(places, rows))

    def _rows(
        self, places: tuple[int, ...], batches: RowBatches
    ) -> Iterator[dict[str, Any] | None]:
        for start, stop in pairwise(places):
            try:
                yield self._row(self.file.read(start, min(max(0, stop - start), LARGEST_SAMPLE)))
            except (struct.error, ValueError, IndexError):
                batches.fault("sample", "the sample is not as long as its sizes say")
                yield None

    def _row(self, data: bytes) -> dict[str, Any]:
        sized = [size for _, _, size in self.columns]
        stated = iter(struct.unpack_from(f"<{sized.count(None)}I", data))
        at, found = 4 * sized.count(None), {}
        for name, encoding, fixed in self.columns:
            size = next(stated) if fixed is None else fixed
            if at + size > len(data):
                raise ValueError("past the end")
            if name in self.names.used:
                found[name] = values(data[at : at + size], encoding)
            at += size
        return found


def values(data: bytes, encoding: str) -> Any:
    """Decode the numbers of a column; bare bytes are int64, as in LLM Foundry."""
    np = numpy()
    if encoding == "bytes":
        return np.frombuffer(data, "<i8")
    _, dtype, *shape = encoding.split(":")
    if not shape:
        sides, width = divmod(data[0], 4)
        data = data[1 + sides * np.dtype(SHAPES[width]).itemsize :]
    return np.frombuffer(data, np.dtype(dtype).newbyteorder("<"))


def opened(file: DataFile, given: IdDescription) -> Shard:
    """Open the samples by the header; raise `UnreadableError` without a column of ids."""
    if not file.name.endswith(".mds"):
        raise UnreadableError(f"{file.name}: is compressed; unpack the file first")
    samples, first = struct.unpack("<2I", file.head(8).ljust(8, b"\0"))
    start = 4 + 4 * (samples + 1)
    if not start <= first <= min(file.size, start + LONGEST_HEADER):
        raise UnreadableError(
            f"{file.name}: states {samples:,} samples, but has no header that describes them"
        )
    try:
        stated = read_json(file.read(start, first - start), Header)
    except msgspec.MsgspecError as error:
        raise UnreadableError(f"{file.name}: its header cannot be read: {error}") from error
    columns = tuple(
        zip(stated.column_names, stated.column_encodings, _sizes(file.name, stated), strict=True)
    )
    known = {name: how for name, how, _ in columns if how == "bytes" or _whole(how)}
    names = names_of(known)
    if not names_of(stated.column_names).hold_ids:
        there = ", ".join(stated.column_names[:9])
        raise HoldsNoIds(f"{file.name}: no column of ids was found; its columns are {there}")
    if not names.hold_ids:
        raise UnreadableError(
            f"{file.name}: the column of ids is neither of whole numbers nor of bytes"
        )
    encoding = known[names.ids or names.response]
    bare = encoding == "bytes"
    (last,) = struct.unpack("<I", file.read(4 + 4 * samples, 4))
    wrong = f"the last sample ends at byte {last:,}; {file.name} has {file.size:,}"
    info = ShardInfo(
        file.name,
        "mds",
        "int64" if bare else encoding.split(":")[1],
        -1,
        samples,
        file.size,
        (file.name,),
        rollout=bool(names.response),
        derived=("the file's bytes are read as 8-byte numbers",) if bare else (),
        faults=(Fault("size", wrong, file.name),) if last != file.size else (),
    )
    return MdsShard(info, file, names, columns)


class Header(msgspec.Struct):
    """A shard's columns; a size is None if each sample states it."""

    column_names: list[str]
    column_encodings: list[str]
    column_sizes: list[int | None] = []


def _sizes(name: str, stated: Header) -> list[int | None]:
    count = len(stated.column_names)
    if len(stated.column_encodings) != count:
        raise UnreadableError(f"{name}: the header does not state a type for each column")
    return stated.column_sizes if len(stated.column_sizes) == count else [None] * count


def _whole(encoding: str) -> bool:
    kind, _, dtype = encoding.partition(":")
    return kind == "ndarray" and dtype.split(":")[0].lstrip("u").startswith("int")


def _recognised(file: DataFile, head: bytes) -> bool:
    return file.path.name.endswith((".mds", ".mds.zstd", ".mds.gz", ".mds.zst"))


DATA_FORMAT = DataFormat("mds", 5, (".mds",), _recognised, opened, ("index.json",))
