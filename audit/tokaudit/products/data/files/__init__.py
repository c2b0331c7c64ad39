"""Formats of token ids on disk: their type, and all installed ones.

A module of `formats/` is one format.  It imports numpy only where it reads, so that the list of
formats needs nothing but Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol

from tokaudit.foundation.plugins.installed import Kind, installed
from tokaudit.products.data.files.files import DataFile, IdDescription

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokaudit.products.data.files.batch import Batch, ShardInfo


@dataclass(frozen=True, order=True, slots=True)
class Piece:
    """A part of a shard between two fixed cut points, in units of its format."""

    start: int
    stop: int


class StatedShard(Protocol):
    """A file of ids and its companions, before its ids are read."""

    @property
    def info(self) -> ShardInfo:
        """Return the shard's statements about itself, and its contradictions."""
        ...

    def pieces(self) -> Sequence[Piece]:
        """Return cut points, which depend only on the shard."""
        ...


class Shard(StatedShard, Protocol):
    """An opened file of ids with its companions."""

    def batches(self, piece: Piece, separator: int | None) -> Iterator[Batch]:
        """Yield the ids of a piece; `separator` ends documents if no boundary is stated."""
        ...


@dataclass(frozen=True)
class DataFormat:
    """A file format for token ids.

    `recognise` looks at the file's first bytes and at the names next to it; `open` reads headers
    and indexes alone, and raises `UnreadableError` for one that cannot be read at all.  `order`
    decides where two formats recognise a file: the lowest is taken.  `companions` are suffixes of
    files that belong to a shard and are none themselves.
    """

    name: str
    order: int
    suffixes: tuple[str, ...]
    recognise: Callable[[DataFile, bytes], bool]
    open: Callable[[DataFile, IdDescription], Shard]
    companions: tuple[str, ...] = ()


DATA_FORMATS = Kind("data format", DataFormat, ("data",), lambda format: (format.name,))


@cache
def all_data_formats() -> tuple[DataFormat, ...]:
    """Return every installed format of ids, in the order of trying."""
    return tuple(sorted(installed(DATA_FORMATS).all().values(), key=lambda each: each.order))
