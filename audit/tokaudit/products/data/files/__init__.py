"""Token ids on disk: what a format of them is, and all that are installed.

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
    """The record of a file of ids and the files that belong to it, before its ids are read."""

    @property
    def info(self) -> ShardInfo:
        """The statements of the shard about itself, and what in it contradicts them."""
        ...

    def pieces(self) -> Sequence[Piece]:
        """Cut points, which depend on the shard alone."""
        ...


class Shard(StatedShard, Protocol):
    """One opened file of ids with the files that belong to it."""

    def batches(self, piece: Piece, separator: int | None) -> Iterator[Batch]:
        """The ids of a piece; where no boundary is stated, `separator` is what ends a document."""
        ...


@dataclass(frozen=True)
class DataFormat:
    """A way to write token ids down.

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
    """Every installed format of ids, the one that is tried first at the beginning."""
    return tuple(sorted(installed(DATA_FORMATS).all().values(), key=lambda each: each.order))
