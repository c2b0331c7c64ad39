"""The merges that turn a pre-token into tokens, one after another, as text.

It tells what `bpe.merge_textbook` and `scored_merge.merge_scored` do, and encodes nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from tokaudit_reference.models.bpe.merge_table import NEVER_MERGED, Surface
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
        self._ranks = _product_ranks(spec) if self._by_product else _pair_ranks(spec)

    def of(self, piece: str) -> Iterator[MergeStep]:
        """The merges of a pre-token; none for one that is taken whole, or without merges."""
        if self._spec.model_type is not ModelType.BPE or self._taken_whole(piece):
            return
        symbols, frozen = self._symbols(piece)
        while (best := self._best(symbols, frozen)) is not None:
            rank, place = best
            left, right = symbols[place : place + 2]
            yield MergeStep(rank, shown(left), shown(right))
            symbols[place : place + 2] = [self._joined(left, right)]
            frozen = {at - 1 if at > place else at for at in frozen}

    def _best(self, symbols: list[Surface], frozen: set[int]) -> tuple[float, int] | None:
        offers = []
        for place, (left, right) in enumerate(itertools.pairwise(symbols)):
            key = self._joined(left, right) if self._by_product else (left, right)
            rank = self._ranks.get(key)
            if rank is not None and not frozen & {place, place + 1}:
                offers.append((rank, place))
        return min(offers, default=None)

    def _symbols(self, piece: str) -> tuple[list[Surface], set[int]]:
        """The smallest pieces, and the places of symbols that are never merged."""
        if self._by_product and self._spec.byte_level:
            return [bytes([byte]) for byte in utf8(piece)], set()
        if self._by_product:
            symbols, frozen = self._user_defined.symbols(piece)
            return list(symbols), frozen
        spelt = self._speller.spell(piece)
        return [self._spec.surface(self._spec.pieces[id]) for id in spelt], set()

    def _taken_whole(self, piece: str) -> bool:
        given: Surface = utf8(piece) if self._spec.byte_level else piece
        return self._spec.ignore_merges and given in self._ids

    def _joined(self, left: Surface, right: Surface) -> Surface:
        prefix = self._spec.continuing_subword_prefix
        if isinstance(left, bytes) and isinstance(right, bytes):
            return left + right.removeprefix(prefix.encode())
        return str(left) + str(right).removeprefix(prefix)


def _product_ranks(spec: TokenizerSpec) -> dict[object, float]:
    """What pairs become -> its rank; SentencePiece merges towards unused pieces too."""
    never = set(NEVER_MERGED) - {TokenType.UNUSED}
    return {
        piece.value: spec.product_ranks[id]
        for id, piece in spec.pieces.items()
        if piece.token_type not in never and id in spec.product_ranks
    }


def _pair_ranks(spec: TokenizerSpec) -> dict[object, float]:
    return {pair: rank for rank, pair in enumerate(spec.merges or ())}


def shown(value: Surface) -> str:
    """A piece as text; bytes that are not UTF-8 as `\\xNN`.

    >>> shown(b"a\\xff")
    'a\\\\xff'
    """
    return value if isinstance(value, str) else value.decode("utf-8", "backslashreplace")
