"""WebDataset: a tar of samples, whose files have one name and differ in what follows its dot.

The ids are a `.npy` under their name, as `000.input_ids.npy`, or in a `.json` of the sample; what
is pickled is left alone.

Source: the documentation of webdataset 1.0, its page on the format.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any

import msgspec

from tokaudit.foundation.errors import UnreadableError
from tokaudit.products.data.files import DataFormat, Piece, Shard
from tokaudit.products.data.files.batch import Batch, Fault, HoldsNoIds, ShardInfo, numpy
from tokaudit.products.data.files.files import DataFile, IdDescription
from tokaudit.products.data.files.formats.json_lines import row
from tokaudit.products.data.files.records import Names, RowBatches, names_of, refuse_missing
from tokaudit.subject.id_columns import IDS

LARGEST_MEMBER = 64 << 20  # bytes
LOOKED_AT = 8  # samples, for one that has ids
KINDS = (".npy", ".json")
TROUBLES = (ValueError, EOFError, MemoryError, RecursionError, msgspec.MsgspecError)
Sample = Mapping[str, Any]


@dataclass(frozen=True)
class TarShard:
    """The samples of one tar, a single piece, since it is read in order."""

    info: ShardInfo
    file: DataFile
    names: Names

    def pieces(self) -> Sequence[Piece]:
        """Return the whole as one piece."""
        return [Piece(0, -1)]

    def batches(self, piece: Piece, separator: int | None) -> Iterator[Batch]:
        """Yield the samples in order."""
        rows = RowBatches(self.file.name, self.names)
        yield from rows.take(self._rows(rows))

    def _rows(self, rows: RowBatches) -> Iterator[Sample | None]:
        for key, sample in _samples(self.file):
            if isinstance(sample, Fault):
                rows.fault("row", f"{key}: {sample.message}")
            yield None if isinstance(sample, Fault) else sample


def opened(file: DataFile, given: IdDescription) -> Shard:
    """Open the tar by the first samples with ids; raise `HoldsNoIds` without any."""
    first = [each for _, each in islice(_samples(file), LOOKED_AT) if not isinstance(each, Fault)]
    names = next((n for each in first if (n := names_of(each, given.columns)).hold_ids), None)
    if names is None:
        there = ", ".join(dict.fromkeys(name for each in first for name in each))
        raise HoldsNoIds(
            f"{file.name}: no sample has ids under one of {', '.join(IDS)}; its samples have "
            f"{there[:200]}"
        )
    refuse_missing(file.name, {name for each in first for name in each}, given.columns)
    own, rollout = (file.name,), bool(names.response)
    info = ShardInfo(file.name, "webdataset", "", -1, -1, file.size, own, rollout=rollout)
    return TarShard(info, file, names)


def _samples(file: DataFile) -> Iterator[tuple[str, Sample | Fault]]:
    """Yield each sample with its key, or its fault."""
    with file.open() as raw:
        try:
            opened = io.BufferedReader(raw)  # type: ignore[type-var]
            with tarfile.open(mode="r:", fileobj=opened) as tar:
                for key, files in groupby(_members(tar), lambda member: _key(member.name)):
                    yield key, _sample(file, tar, key, files)
        except (tarfile.TarError, EOFError, OSError, ValueError) as error:
            raise UnreadableError(
                f"{file.name}: cannot be read as a tar archive: {error}"
            ) from error


def _members(tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """Yield the files of a tar one at a time, since a tar may have millions."""
    while (member := tar.next()) is not None:
        tar.members.clear()  # type: ignore[attr-defined]
        if member.isreg():
            yield member


def _key(name: str) -> str:
    """Return a sample's key: the name up to the first dot of its last part."""
    folder, slash, last = name.rpartition("/")
    return folder + slash + last.partition(".")[0]


def _sample(
    file: DataFile, tar: tarfile.TarFile, key: str, members: Iterator[tarfile.TarInfo]
) -> Sample | Fault:
    found: dict[str, Any] = {}
    fault = None
    for member in members:
        kind = member.name[len(key) :]
        if not kind.endswith(KINDS):
            found[kind.lstrip(".")] = None
            continue
        if member.size > LARGEST_MEMBER:
            fault = Fault("row", f"{kind} has more than {LARGEST_MEMBER >> 20} MB", file.name)
            continue
        data = tar.extractfile(member)
        try:
            found |= _values(kind, data.read() if data is not None else b"")
        except TROUBLES as error:
            fault = Fault("row", f"{kind} cannot be read: {str(error)[:100]}", file.name)
    return fault or found


def _values(kind: str, data: bytes) -> dict[str, Any]:
    """Return the values of one file of a sample, by name."""
    if kind.endswith(".npy"):
        array = numpy().load(io.BytesIO(data), allow_pickle=False)
        return {kind.removesuffix(".npy").lstrip(".") or IDS[0]: array}
    return row(data)


def _recognised(file: DataFile, head: bytes) -> bool:
    return file.path.suffix == ".tar" and head[257:262] == b"ustar"


DATA_FORMAT = DataFormat("webdataset", 4, (".tar",), _recognised, opened)
