"""Remembers what pre-tokens became, so that the common path of encoding is one dict lookup.

A hit never leaves C: `dict.__getitem__` calls `__missing__` only for a key that is not there.  The
cache does not know the algorithm, so whoever makes it answers for the key: the ids must depend on
the piece alone.  Anything else that changes them (parsing of special tokens, dropout) needs a cache
of its own, or none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

LIMIT = 500_000  # pieces; about 120 MB
LONGEST = 64  # characters; longer pieces hardly come back, and would leave memory unbounded

Ids = tuple[int, ...]


class PieceCache(dict[str, Ids]):
    """Piece -> ids, filled by `encode`, holding at most `limit` pieces.

    A full cache is emptied rather than frozen: texts change language on the way, and the pieces
    that are still in use are back within a few lines, while a frozen cache would serve the first
    language for ever.  The ids are tuples: shared safely, and passed over by the garbage collector.

    >>> cache = PieceCache(lambda piece: [ord(piece[0])], limit=2)
    >>> cache["a"], cache["b"], cache["c"], sorted(cache)
    ((97,), (98,), (99,), ['c'])
    """

    __slots__ = ("_encode", "_limit")

    def __init__(self, encode: Callable[[str], Sequence[int]], limit: int = LIMIT) -> None:
        super().__init__()
        self._encode, self._limit = encode, limit

    def __missing__(self, piece: str) -> Ids:
        ids = tuple(self._encode(piece))
        if len(piece) <= LONGEST and self._limit > 0:
            if len(self) >= self._limit:
                self.clear()
            self[piece] = ids
        return ids
