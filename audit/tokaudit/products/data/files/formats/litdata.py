"""litdata's chunks: a table of items, then their ids, whose type is in `index.json`.

A chunk begins with the number of its items and with the byte at which each begins and the last
ends.  Items that `TokensLoader` reads are bare ids of one document; those of other loaders are any
objects and are not read.

Source: `writer.py` and `item_loader.py` in `streaming/`, and `constants.py`, of
Lightning-AI/litData.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from tokaudit.foundation.errors import UnreadableError
from tokaudit.foundation.typed_values import read_json
from tokaudit.products.data.files import DataFormat, Shard
from tokaudit.products.data.files.batch import Fault, ShardInfo, numpy
from tokaudit.products.data.files.files import DataFile, IdDescription

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tokaudit.products.data.files.flat import FlatArray

INDEX = "index.json"
KEYS = (b'"chunk_bytes"', b'"data_format"')  # of a chunk and of the settings, whichever is first
LARGEST_INDEX = 64 << 20  # bytes
WIDTH = 4  # bytes of a number in the table
TYPES = {
    "no_header_tensor": {
        11: "uint8",
        12: "int8",
        13: "int16",
        14: "int16",
        15: "int32",
        16: "int32",
        17: "int64",
        18: "int64",
        20: "uint16",
    },
    "no_header_numpy": {
        0: "int8",
        1: "int16",
        2: "int32",
        3: "int64",
        4: "uint8",
        5: "uint16",
        6: "uint32",
        7: "uint64",
    },
}


class Chunk(msgspec.Struct):
    """A chunk's record in the index: its items, and their ids if they are ids alone."""

    filename: str
    chunk_size: int
    dim: int | None = None


class Config(msgspec.Struct):
    """The common format of all chunks."""

    data_format: list[str] = []
    compression: str | None = None
    encryption: Any = None
    item_loader: str = "TokensLoader"


class Index(msgspec.Struct):
    """The index file next to the chunks."""

    chunks: list[Chunk]
    config: Config


@dataclass(frozen=True)
class Items:
    """The table of a chunk: the start of each item, and the end of the last."""

    table: FlatArray
    width: int
    ids: int

    def cuts(self, start: int, stop: int) -> NDArray[Any]:
        """Return the starts of documents, and the end of the last, in ids."""
        np = numpy()
        places = self.table.read(start, stop + 1).astype("i8") - self.begin
        found: NDArray[Any] = np.clip(places // self.width, 0, self.ids)
        return np.maximum.accumulate(found)  # type: ignore[no-any-return]

    @property
    def begin(self) -> int:
        """Return the byte after the table."""
        return self.table.start + WIDTH * self.table.count


def opened(file: DataFile, given: IdDescription) -> Shard:
    """Open the ids after the table; raise `UnreadableError` without ids of one type."""
    from tokaudit.products.data.files.flat import FlatArray, FlatShard

    named = file.sibling(INDEX)
    if named is None:
        raise UnreadableError(f"{file.name}: there is no {INDEX} in the same folder")
    index = _index(named)
    dtype = _type(file, index.config)
    items, short = _items(file), numpy().dtype(dtype).newbyteorder("<")
    held = max(0, file.size - items.start - WIDTH * items.count) // short.itemsize
    table = Items(items, short.itemsize, held)
    info = ShardInfo(
        file.name,
        "litdata",
        dtype,
        held,
        items.count - 1,
        file.size,
        (file.name, named.name),
        faults=tuple([*_order(file, table), *_listed(file, index, table)][:1]),
    )
    return FlatShard(info, FlatArray(file, short.str, table.begin, held), table.cuts)


def _index(named: DataFile) -> Index:
    if named.size > LARGEST_INDEX:
        raise UnreadableError(
            f"{named.name}: has {named.size:,} bytes; at most {LARGEST_INDEX:,} are read"
        )
    try:
        return read_json(named.head(LARGEST_INDEX), Index)
    except msgspec.MsgspecError as error:
        raise UnreadableError(f"{named.name}: is not an index of litdata: {error}") from error


def _type(file: DataFile, config: Config) -> str:
    """Return the type of ids; raise `UnreadableError` for other chunks."""
    if config.compression or config.encryption:
        how = "compression" if config.compression else "encryption"
        raise UnreadableError(f"{file.name}: its chunks use {how}; write the chunks without {how}")
    stated = ", ".join(config.data_format)
    kind, _, code = stated.partition(":")
    number = int(code) if code.isdecimal() and len(code) < WIDTH else -1
    dtype = TYPES.get(kind, {}).get(number)
    if config.item_loader != "TokensLoader" or dtype is None:
        raise UnreadableError(
            f"{file.name}: this litdata chunk has items of type {stated} for {config.item_loader}; "
            "only chunks of whole numbers for TokensLoader can be read"
        )
    return dtype


def _items(file: DataFile) -> FlatArray:
    """Return the table; raise `UnreadableError` if the file is too short for it."""
    from tokaudit.products.data.files.flat import FlatArray

    count = int.from_bytes(file.head(WIDTH), "little")
    if WIDTH * (count + 2) > file.size:
        raise UnreadableError(
            f"{file.name}: the header states {count:,} items, whose table needs "
            f"{WIDTH * (count + 2):,} bytes, but the file has only {file.size:,} bytes"
        )
    return FlatArray(file, "<u4", WIDTH, count + 1)


def _order(file: DataFile, items: Items) -> Iterator[Fault]:
    """Yield items that are out of order, not whole ids, or leave gaps."""
    np, before = numpy(), items.begin
    for start, places in items.table.chunks():
        steps = np.diff(places.astype("i8"), prepend=before)
        wrong = (steps < 0) | (steps % items.width != 0)
        if start == 0 and int(steps[0]) != 0:
            message = (
                f"the first item begins at byte {int(places[0]):,}, the table ends at {before:,}"
            )
            yield Fault("begin", message, file.name, 0)
            return
        if bool(wrong.any()):
            at = int(np.flatnonzero(wrong)[0])
            end, item = int(places[at]), start + at - 1
            message = f"item {item:,} begins at byte {end - int(steps[at]):,} and ends at {end:,}"
            yield Fault("order", f"{message}; an id takes {items.width}", file.name, item)
            return
        before = int(places[-1])
    if before != file.size:
        message = f"the last item ends at byte {before:,}; {file.name} has {file.size:,}"
        yield Fault("size", message, file.name)


def _listed(file: DataFile, index: Index, items: Items) -> Iterator[Fault]:
    """Yield contradictions between the index and the chunk."""
    chunk = next((each for each in index.chunks if each.filename == file.path.name), None)
    if chunk is None:
        yield Fault("listed", f"{INDEX} lists no chunk {file.path.name}", file.name)
        return
    stated = (("items", chunk.chunk_size, items.table.count - 1), ("ids", chunk.dim, items.ids))
    for what, said, held in stated:
        if said not in (None, held):
            message = f"{INDEX} states {said:,} {what}; {file.name} has {held:,}"
            yield Fault("count", message, file.name)


def _recognised(file: DataFile, head: bytes) -> bool:
    index = file.sibling(INDEX) if file.path.suffix == ".bin" else None
    return index is not None and any(key in index.head() for key in KEYS)


DATA_FORMAT = DataFormat("litdata", 3, (".bin",), _recognised, opened, (INDEX,))
