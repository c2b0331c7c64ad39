"""datatrove's `.ds`: ids, the ends of documents in `.ds.index`, and words in `.ds.metadata`.

Source: `src/datatrove/pipeline/tokens/tokenizer.py` of huggingface/datatrove.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tokaudit.products.data.files import DataFormat, Shard
from tokaudit.products.data.files.batch import Fault, ShardInfo
from tokaudit.products.data.files.files import DataFile, IdDescription

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tokaudit.products.data.files.flat import FlatArray

SMALL = 1 << 16  # entries of a vocabulary whose ids take two bytes
WIDTHS = {"2": "uint16", "4": "uint32"}
LONGEST_METADATA = 4096
LARGEST, DIGITS = 1 << 63, 20  # of a number of ids


def opened(file: DataFile, given: IdDescription) -> Shard:
    """Open the ids with the ends of documents, if the index exists."""
    from tokaudit.products.data.files.flat import FlatArray, FlatShard

    index, words = file.followed_by(".index"), file.followed_by(".metadata")
    named, dtype, counted = _stated(words)
    derived: tuple[str, ...] = ()
    if not dtype:
        dtype = given.dtype or ("uint16" if given.vocabulary <= SMALL else "uint32")
        whose = "as the user says" if given.dtype else "by the size of the vocabulary"
        derived = (f"no metadata states the type of ids: {dtype} {whose}",)
    width = int(dtype.lstrip("uint")) // 8
    ids = FlatArray(file, f"<u{width}", 0, file.size // width)
    ends = FlatArray(index, "<u8", 0, index.size // 8) if index else None
    loss = file.followed_by(".loss")
    faults = [*_sizes(file, ids, counted, loss, index), *_ends(index, ends, ids.count)]
    info = ShardInfo(
        file.name,
        "datatrove",
        dtype,
        ids.count,
        ends.count if ends else 0,
        file.size,
        tuple(each.name for each in (file, index, words, loss) if each),
        bounded=ends is not None,
        tokenizer=named,
        derived=derived,
        faults=tuple(faults),
    )
    fits = loss is not None and loss.size == ids.count
    columns = {"loss": FlatArray(loss, "u1", 0, loss.size)} if loss and fits else {}
    return FlatShard(info, ids, _cuts(ends, ids.count) if ends else None, columns)


def _stated(words: DataFile | None) -> tuple[str, str, int | None]:
    """Return the tokenizer, type and number of ids in the metadata."""
    if words is None:
        return "", "", None
    lines = words.head(LONGEST_METADATA).decode("utf-8", "replace").splitlines()
    named, bar, width = (lines[0] if lines else "").rpartition("|")
    if not bar:
        named, width = width, ""
    count = lines[1].strip() if len(lines) > 1 else ""
    return named, WIDTHS.get(width, ""), _whole(count)


def _whole(count: str) -> int | None:
    """Parse a number of ids, limited to the largest possible."""
    return min(int(count[:DIGITS]), LARGEST) if count.isdecimal() else None


def _cuts(ends: FlatArray, ids: int) -> Any:
    def cuts(start: int, stop: int) -> NDArray[Any]:
        """Return the starts of documents, and the end of the last."""
        from tokaudit.products.data.files.batch import numpy

        np = numpy()
        known = ends.read(max(0, start - 1), stop)
        found = known if start else np.insert(known, 0, 0)
        return np.maximum.accumulate(np.minimum(found, ids).astype("i8"))  # type: ignore[no-any-return]

    return cuts


def _sizes(
    file: DataFile,
    ids: FlatArray,
    counted: int | None,
    loss: DataFile | None,
    index: DataFile | None,
) -> Iterator[Fault]:
    """Yield contradictions in the sizes of ids, index and loss mask."""
    if file.size % ids.width:
        message = f"{file.name} has {file.size:,} bytes, which is not a multiple of {ids.width}"
        yield Fault("size", message, file.name)
    if counted is not None and counted != ids.count:
        message = f"the metadata states {counted:,} ids; {file.name} has {ids.count:,}"
        yield Fault("count", message, f"{file.name}.metadata")
    if loss is not None and loss.size != ids.count:
        message = f"the loss mask has {loss.size:,} entries for {ids.count:,} ids"
        yield Fault("loss", message, loss.name)
    if index is None:
        yield Fault("index", f"there is no index {file.path.name}.index next to it", file.name)
    elif index.size % 8:
        message = f"the index has {index.size:,} bytes, which is not a multiple of 8"
        yield Fault("index size", message, index.name)


def _ends(index: DataFile | None, ends: FlatArray | None, ids: int) -> Iterator[Fault]:
    """Yield ends of documents that are out of order, or do not reach the last id."""
    from tokaudit.products.data.files.batch import numpy

    if index is None or ends is None:
        return
    np, before = numpy(), 0
    for start, part in ends.chunks():
        rises = part[1:] >= part[:-1]
        if int(part[0]) < before or not bool(rises.all()):
            at = start + (int(np.flatnonzero(~rises)[0]) + 1 if not bool(rises.all()) else 0)
            message = f"document {at:,} ends before the document in front of it"
            yield Fault("order", message, index.name, at)
            return
        before = int(part[-1])
    if before != ids:
        message = f"the last document ends at id {before:,}; there are {ids:,} ids"
        yield Fault("last end", message, index.name, max(0, ends.count - 1))


def _recognised(file: DataFile, head: bytes) -> bool:
    return file.path.name.endswith(".ds")


COMPANIONS = (".ds.index", ".ds.metadata", ".ds.loss")
DATA_FORMAT = DataFormat("datatrove", 2, (".ds",), _recognised, opened, COMPANIONS)
