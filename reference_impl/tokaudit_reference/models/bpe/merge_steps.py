"""The merges that turn a pre-token into tokens, one after another, as text.

It tells what `bpe.merge_textbook` and `scored_merge.merge_scored` do, and encodes nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tokaudit_reference.models.bpe.merge import Pair, Ranked
from tokaudit_reference.models.bpe.merge_table import NEVER_MERGED, Surface, merge_table
from tokaudit_reference.models.symbols import Speller, utf8
from tokaudit_reference.models.user_defined import UserDefined
from tokaudit_reference.spec import ModelType, Priority, TokenizerSpec, TokenType


@dataclass(frozen=True, slots=True)
class MergeStep:
    """Two neighbours that became one, and the rank that let them; SentencePiece's is -score."""

    rank: float
    left: str
    right: str


class MergeSteps:
    """Tells the merges of one spec, piece by piece.

    >>> from tokaudit_reference.spec import Piece
    >>> pieces = {i: Piece(TokenType.ORDINARY, v) for i, v in enumerate(["a", "b", "ab"])}
    >>> spec = TokenizerSpec(ModelType.BPE, pieces, merges=(("a", "b"),))
    >>> list(MergeSteps(spec).of("bab"))
    [MergeStep(rank=0, left='a', right='b')]
    """

    def __init__(self, spec: TokenizerSpec) -> None:
        self._spec, self._by_product = spec, spec.priority is Priority.PRODUCT
        self._ids = spec.ids_by_surface
        self._user_defined, self._speller = UserDefined(spec), Speller(spec, self._ids)
        self._ranks = _product_ranks(spec) if self._by_product else {}
        self._table: Mapping[Pair, Ranked] = {} if self._by_product else merge_table(spec)

    def of(self, piece: str) -> Iterator[MergeStep]:
        """The merges of a pre-token; none for one that is taken whole, or without merges."""
        if self._spec.model_type is not ModelType.BPE or self._taken_whole(piece):
            return
        yield from self._by_products(piece) if self._by_product else self._by_pairs(piece)

    def _by_pairs(self, piece: str) -> Iterator[MergeStep]:
        """Yield the merges by ids: entries that share an id are merged alike."""
        symbols = self._speller.spell(piece)
        while offers := [
            (*found, place)
            for place, pair in enumerate(itertools.pairwise(symbols))
            if (found := self._table.get(pair)) is not None
        ]:
            rank, product, place = min(offers, key=lambda offer: (offer[0], offer[2]))
            left, right = map(self._surface, symbols[place : place + 2])
            yield MergeStep(rank, shown(left), shown(right))
            symbols[place : place + 2] = [product]

    def _surface(self, id: int) -> Surface:
        return self._spec.surface(self._spec.pieces[id])

    def _by_products(self, piece: str) -> Iterator[MergeStep]:
        symbols, frozen = self._symbols(piece)
        while (best := self._best(symbols, frozen)) is not None:
            rank, place = best
            left, right = symbols[place : place + 2]
            yield MergeStep(rank, shown(left), shown(right))
            symbols[place : place + 2] = [_joined(left, right)]
            frozen = {at - 1 if at > place else at for at in frozen}

    def _best(self, symbols: list[Surface], frozen: set[int]) -> tuple[float, int] | None:
        offers = []
        for place, (left, right) in enumerate(itertools.pairwise(symbols)):
            rank = self._ranks.get(_joined(left, right))
            if rank is not None and not frozen & {place, place + 1}:
                offers.append((rank, place))
        return min(offers, default=None)

    def _symbols(self, piece: str) -> tuple[list[Surface], set[int]]:
        """The smallest pieces, and the places of symbols that are never merged."""
        if self._spec.byte_level:
            return [bytes([byte]) for byte in utf8(piece)], set()
        symbols, frozen = self._user_defined.symbols(piece)
        return list(symbols), frozen

    def _taken_whole(self, piece: str) -> bool:
        given: Surface = utf8(piece) if self._spec.byte_level else piece
        return self._spec.ignore_merges and given in self._ids


def _joined(left: Surface, right: Surface) -> Surface:
    if isinstance(left, bytes) and isinstance(right, bytes):
        return left + right
    return f"{left!s}{right!s}"


def _product_ranks(spec: TokenizerSpec) -> dict[Surface, float]:
    """Map the products of merges to ranks; SentencePiece merges towards unused pieces too."""
    never = set(NEVER_MERGED) - {TokenType.UNUSED}
    return {
        piece.value: spec.product_ranks[id]
        for id, piece in spec.each_entry()
        if piece.token_type not in never and id in spec.product_ranks
    }


def shown(value: Surface) -> str:
    """A piece as text; bytes that are not UTF-8 as `\\xNN`.

    >>> shown(b"a\\xff")
    'a\\\\xff'
    """
    return value if isinstance(value, str) else value.decode("utf-8", "backslashreplace")
