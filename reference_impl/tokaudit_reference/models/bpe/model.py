"""Byte-pair encoding as a model: spell a pre-token in its smallest pieces, then merge them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from random import Random

from tokaudit_reference.models.bpe.byte_encoder import byte_encoder
from tokaudit_reference.models.bpe.dropout import merge_with_dropout
from tokaudit_reference.models.bpe.merge import Pair, Ranked, merge, merge_places
from tokaudit_reference.models.bpe.merge_table import merge_table
from tokaudit_reference.models.symbols import Placed, Speller, utf8
from tokaudit_reference.spec import TokenizerSpec

SURROGATE = re.compile("[\ud800-\udfff]")


def _moved(
    merged: Sequence[Placed], symbols: Sequence[Placed], units: Sequence[int]
) -> Iterator[Placed]:
    """Shift the ranges in a piece after a dropped unit, given the length of each unit.

    The library adds up the lengths of what it kept, so all after a dropped unit is moved to it.

    >>> list(_moved([(7, 0, 1), (8, 1, 2)], [(7, 1, 2), (8, 2, 3)], [1, 1, 2]))
    [(7, 0, 1), (8, 1, 3)]
    """
    shares = Counter((start, stop) for _, start, stop in symbols)  # bytes of one character
    owners = [unit for unit, length in enumerate(units) for _ in range(length)]
    at = 0
    for id, first, end in merged:
        size = sum(sum(units[a:b]) // shares[a, b] for _, a, b in symbols[first:end])
        yield id, owners[at], owners[at + size - 1] + 1
        at += size


class Bpe:
    """Spells and merges; a piece that is a token whole is taken first where the spec says so.

    With `random`, merges are left out by the chance that the spec states as dropout.
    """

    def __init__(self, spec: TokenizerSpec, random: Random | None = None) -> None:
        self._spec, self._ids = spec, spec.ids_by_surface
        self._random = random
        self._quick = self._quick_way()

    @cached_property
    def _table(self) -> Mapping[Pair, Ranked]:
        """Build the merge table on first use: it takes as long as all the rest."""
        return merge_table(self._spec)

    @cached_property
    def _speller(self) -> Speller:
        return Speller(self._spec, self._ids)

    def encode(self, piece: str) -> list[int]:
        """The ids of a pre-token."""
        if self._quick is not None and (piece.isascii() or not SURROGATE.search(piece)):
            return self._quick(piece)
        if self._random is not None:
            return [id for id, _, _ in self.spans(piece)]
        whole = self._whole_id(piece)
        return [whole] if whole is not None else merge(self._speller.spell(piece), self._table)

    def spans(self, piece: str) -> list[Placed]:
        """Encode a pre-token to ids with their ranges."""
        whole = self._whole_id(piece)
        if whole is not None:
            return [(whole, 0, len(utf8(piece)) if self._spec.byte_level else len(piece))]
        symbols = self._speller.places(piece)
        left = self._merged([id for id, _, _ in symbols])
        kept = [place for place, id in enumerate(left) if id is not None]
        merged = [
            (id, first, end)
            for first, end in pairwise([*kept, len(symbols)])
            if (id := left[first]) is not None
        ]
        if self._spec.unk_id is None and (units := self._speller.dropped_from(piece, symbols)):
            return list(_moved(merged, symbols, units))
        return [(id, symbols[first][1], symbols[end - 1][2]) for id, first, end in merged]

    def _merged(self, symbols: Sequence[int]) -> list[int | None]:
        if self._random is None:
            return merge_places(symbols, self._table)
        return merge_with_dropout(symbols, self._table, self._spec.dropout or 0.0, self._random)

    def _whole_id(self, piece: str) -> int | None:
        if not self._spec.ignore_merges or self._random is not None:
            return None
        return self._ids.get(utf8(piece) if self._spec.byte_level else piece)

    def _quick_way(self) -> Callable[[str], list[int]] | None:
        if self._random is not None:
            return None
        found = byte_encoder(self._spec, lambda: self._table)
        return None if found is None else found.encode
