"""Megatron's indexed dataset: ids in `.bin`, lengths, pointers and documents in `.idx`.

Source: `megatron/core/datasets/indexed_dataset.py` of NVIDIA/Megatron-LM.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.products.data.files import DataFormat, Shard
from tokaudit.products.data.files.batch import Fault, ShardInfo
from tokaudit.products.data.files.files import DataFile, IdDescription

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tokaudit.products.data.files.flat import FlatArray

MAGIC = b"MMIDIDX\x00\x00"
HEADER = struct.Struct("<9sQBQQ")
TYPES = {1: "uint8", 2: "int8", 3: "int16", 4: "int32", 5: "int64", 8: "uint16"}


@dataclass(frozen=True)
class Index:
    """The three tables of an index, each read in parts."""

    lengths: FlatArray
    pointers: FlatArray
    documents: FlatArray
    width: int
    ids: int

    def cuts(self, start: int, stop: int) -> NDArray[Any]:
        """Return the starts of documents, and the end of the last, in ids."""
        from tokaudit.products.data.files.batch import numpy

        np = numpy()
        sequences = np.clip(self.documents.read(start, stop + 1), 0, self.pointers.count)
        first, last = int(sequences.min()), int(sequences.max())
        known = self.pointers.read(first, min(last + 1, self.pointers.count)) // self.width
        if last == self.pointers.count:
            known = np.append(known, self.ids)
        found: NDArray[Any] = np.clip(known[sequences - first], 0, self.ids)
        return np.maximum.accumulate(found)  # type: ignore[no-any-return]


def opened(file: DataFile, given: IdDescription) -> Shard:
    """Open the ids with their index; raise `UnreadableError` without a valid header."""
    from tokaudit.products.data.files.flat import FlatArray, FlatShard

    named = file.with_suffix(".idx")
    if named is None:
        raise UnreadableError(
            f"{file.name}: there is no index {file.path.stem}.idx in the same folder"
        )
    lengths, pointers, documents, code = _tables(named)
    dtype = "<" + _short(TYPES[code])
    width = FlatArray(file, dtype, 0, 0).width
    held = file.size // width
    index = Index(lengths, pointers, documents, width, held)
    faults = tuple(_faults(file, named, index))
    count = max(0, documents.count - 1)
    info = ShardInfo(
        file.name,
        "megatron",
        TYPES[code],
        held,
        count,
        file.size,
        (file.name, named.name),
        faults=faults,
    )
    return FlatShard(info, FlatArray(file, dtype, 0, held), index.cuts)


def _tables(named: DataFile) -> tuple[FlatArray, FlatArray, FlatArray, int]:
    """Return the tables of an index, in the header's sizes, if the file is large enough."""
    from tokaudit.products.data.files.flat import FlatArray

    head = named.head(HEADER.size)
    if len(head) < HEADER.size or not head.startswith(MAGIC):
        raise UnreadableError(f"{named.name}: is not an index of Megatron")
    _, version, code, sequences, documents = HEADER.unpack(head)
    if version != 1 or code not in TYPES:
        raise UnreadableError(
            f"{named.name}: the header states version {version:,} and type code {code}; tokaudit "
            f"reads version 1 and the type codes {', '.join(map(str, TYPES))}"
        )
    needed = HEADER.size + 12 * sequences + 8 * documents
    if needed > named.size:
        raise UnreadableError(
            f"{named.name}: the header states {sequences:,} sequences and {documents:,} document "
            f"bounds, which need {needed:,} bytes, but the file has only {named.size:,} bytes"
        )
    at = HEADER.size
    lengths = FlatArray(named, "<i4", at, sequences)
    pointers = FlatArray(named, "<i8", at + 4 * sequences, sequences)
    return lengths, pointers, FlatArray(named, "<i8", at + 12 * sequences, documents), code


def _short(dtype: str) -> str:
    """Return numpy's short name of a type.

    >>> _short("uint16")
    'u2'
    """
    return f"{dtype[0]}{int(dtype.lstrip('uint')) // 8}"


def _faults(file: DataFile, named: DataFile, index: Index) -> Iterator[Fault]:
    """Yield contradictions of lengths, pointers, documents and the bytes of ids."""
    from tokaudit.products.data.files.batch import numpy

    np, total = numpy(), 0
    for start, lengths in index.lengths.chunks():
        pointers = index.pointers.read(start, start + len(lengths))
        if int(lengths.min(initial=0)) < 0:
            yield Fault("length", "a sequence has a length below 0", named.name)
            return
        ends = total + np.cumsum(lengths.astype("i8"))
        expected = (ends - lengths) * index.width
        wrong = np.flatnonzero(pointers != expected)
        if len(wrong):
            at = int(wrong[0])
            yield Fault(
                "pointer",
                f"sequence {start + at:,} should begin at byte {int(pointers[at]):,}; the "
                f"lengths before it end at byte {int(expected[at]):,}",
                named.name,
            )
            return
        total = int(ends[-1])
    if total * index.width != file.size:
        yield Fault(
            "size",
            f"the index states {total:,} ids, which take {total * index.width:,} bytes; "
            f"{file.name} has {file.size:,}",
            named.name,
        )
    yield from _documents(named, index)


def _documents(named: DataFile, index: Index) -> Iterator[Fault]:
    """Yield document bounds that do not cover all sequences in order."""
    from tokaudit.products.data.files.batch import numpy

    before = 0
    for start, bounds in index.documents.chunks():
        steps = numpy().diff(bounds, prepend=before)
        if (start == 0 and int(bounds[0]) != 0) or int(steps.min()) < 0:
            yield Fault("documents", "the bounds of documents are not in order from 0", named.name)
            return
        before = int(bounds[-1])
    if before != index.lengths.count:
        yield Fault(
            "documents",
            f"the bounds of documents end at sequence {before:,} of {index.lengths.count:,}",
            named.name,
        )


def _recognised(file: DataFile, head: bytes) -> bool:
    index = file.with_suffix(".idx")
    return index is not None and index.head(len(MAGIC)) == MAGIC


DATA_FORMAT = DataFormat("megatron", 1, (".bin",), _recognised, opened, (".idx",))
