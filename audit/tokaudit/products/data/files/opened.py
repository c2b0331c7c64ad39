"""A shard as whoever runs its pieces knows it: what it states, and its cut points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokaudit.products.data.files import Piece
from tokaudit.products.data.files.batch import ShardInfo


@dataclass(frozen=True)
class OpenedShard:
    """The headers and indexes of a file, as a worker has read them."""

    info: ShardInfo
    cuts: tuple[Piece, ...]

    def pieces(self) -> Sequence[Piece]:
        """The cut points."""
        return self.cuts
