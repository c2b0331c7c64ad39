"""Plan for counting a piece: the tokenizer's roles, and the sample of documents."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tokaudit.products.data.files.batch import ShardInfo, numpy

if TYPE_CHECKING:
    from numpy.typing import NDArray

BEGIN, END, PAD, UNKNOWN, RESERVED, HOLE, OUTSIDE = (1 << bit for bit in range(7))
ALL_OF_THEM = (1 << 64) - 1
LEAST = 16  # documents of a shard, about
IDS_OF_A_UNIT = 1024  # of a window, or of a document that is not short
BYTES_OF_AN_ID = 4  # about, in a file of text


@dataclass(frozen=True)
class Expected:
    """The ids of a tokenizer, and the stated purpose of some of them.

    `rows` is how many rows the embedding has, 0 where that is not known.  `special` and `part` are
    special tokens and parts of characters, which are counted and say nothing else of a document;
    `added` are added tokens that show, for which no file has a use.
    """

    size: int
    rows: int = 0
    begin: tuple[int, ...] = ()
    end: tuple[int, ...] = ()
    pad: tuple[int, ...] = ()
    unknown: tuple[int, ...] = ()
    reserved: tuple[int, ...] = ()
    holes: tuple[int, ...] = ()
    special: tuple[int, ...] = ()
    added: tuple[int, ...] = ()
    part: tuple[int, ...] = ()
    mask: tuple[int, ...] = ()

    @property
    def separator(self) -> int | None:
        """Return the id that ends a document if nothing else states its end."""
        return self.end[0] if self.end else None

    @cached_property
    def flags(self) -> NDArray[Any]:
        """Return the flags of each id, with one more entry for all ids outside."""
        table = numpy().zeros(self.size + 1, "u1")
        roles = (self.begin, self.end, self.pad, self.unknown, self.reserved, self.holes)
        for bit, ids in enumerate(roles):
            for id in ids:
                if 0 <= id < self.size:
                    table[id] |= 1 << bit
        table[self.size] = OUTSIDE
        found: NDArray[Any] = table
        return found

    def has(self, id: int) -> bool:
        """Return whether a vocabulary entry has the id."""
        return 0 <= id < self.size and not self.flags[id] & HOLE


def ids_of(shard: ShardInfo) -> int:
    """Return the number of ids in a shard, estimated from its size if unstated."""
    return shard.ids if shard.ids >= 0 else shard.bytes // BYTES_OF_AN_ID


def units_of(shard: ShardInfo) -> int:
    """Estimate the documents and windows of a shard, at least 1."""
    stated = shard.documents if shard.bounded and shard.documents > 0 else 0
    return max(1, stated, ids_of(shard) // IDS_OF_A_UNIT)


@dataclass(frozen=True)
class Draw:
    """A sample of documents by hash, about `share` of them all.

    Of each shard it is about `LEAST` at least, since one of many shards may be another's.
    """

    share: float
    seed: int = 0

    def share_of(self, shard: ShardInfo) -> float:
        """Return the share of documents for a shard."""
        if not self.share:
            return 0.0
        return min(1.0, max(self.share, LEAST / units_of(shard)))

    def drawn(self, shard: ShardInfo, keys: NDArray[Any]) -> NDArray[Any]:
        """Mark the sampled documents, by number or position."""
        np, share = numpy(), self.share_of(shard)
        if share >= 1:
            return np.ones(len(keys), bool)  # type: ignore[no-any-return]
        digest = hashlib.sha256(f"{self.seed}\0{shard.name}".encode("utf-8", "surrogateescape"))
        found: NDArray[Any] = mixed(
            keys.astype("u8") ^ np.uint64(int.from_bytes(digest.digest()[:8], "big"))
        )
        found = found < np.uint64(int(share * ALL_OF_THEM))
        return found


def mixed(keys: NDArray[Any]) -> NDArray[Any]:
    """Permute 64 bits so that every bit of the key counts (splitmix64)."""
    np = numpy()
    with np.errstate(over="ignore"):
        keys = keys + np.uint64(0x9E3779B97F4A7C15)
        keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        found: NDArray[Any] = keys ^ (keys >> np.uint64(31))
        return found


@dataclass(frozen=True)
class Plan:
    """Everything that decides the counts of a piece.

    Without `histogram` no more than the range of ids, beginnings and ends are looked at.
    """

    expected: Expected
    draw: Draw
    histogram: bool = True
