"""Requests to a worker about a file of ids, and its answers."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit.products.data.files import Piece
from tokaudit.products.data.files.batch import ShardInfo
from tokaudit.products.data.files.files import IdDescription
from tokaudit.products.data.ids.isolating import Ranges
from tokaudit.products.data.ids.plan import Plan


@dataclass(frozen=True)
class ShardRequest:
    """A file by its bare name and its report name, with the user's settings."""

    bare: str
    name: str
    size: int
    given: IdDescription


@dataclass(frozen=True)
class PieceRequest:
    """A piece of a file, and everything that decides its counts.

    The tokenizer is not asked about documents that are `left_out`.
    """

    shard: ShardRequest
    piece: Piece
    plan: Plan
    left_out: Ranges = ()


@dataclass(frozen=True)
class ShardOpening:
    """The statements of a file about itself and its cut points, or why it is not read.

    `others` is why it holds no ids, empty where no format recognises it.
    """

    info: ShardInfo | None = None
    pieces: tuple[Piece, ...] = ()
    others: str | None = None
    unreadable: str | None = None
    missing: str | None = None  # the line to install what reads it
