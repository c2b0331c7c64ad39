"""Holds each entry of a tokenizer once, however many files and merges name it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import chain

from tokaudit_reference.spec import Piece, TokenizerSpec, TokenType

Value = bytes | str
ORDINARY = TokenType.ORDINARY


@dataclass
class OneOfEach:
    """The entries, texts and ids of the files that were parsed so far.

    A file of merges names each token many times, and copies of a tokenizer have equal entries; as
    parsers make them, each is an object of its own, which takes several times its text.
    """

    _ordinary: dict[Value, Piece] = field(default_factory=dict)
    _ids: dict[int, int] = field(default_factory=dict)

    def of(self, spec: TokenizerSpec) -> TokenizerSpec:
        """The same spec, made of the objects that others are made of.

        >>> from tokaudit_reference.spec import ModelType, TokenType
        >>> one, other = (
        ...     TokenizerSpec(ModelType.WORDLEVEL, {7: Piece(TokenType.ORDINARY, text.lower())})
        ...     for text in ("ACORN", "Acorn")
        ... )
        >>> known = OneOfEach()
        >>> known.of(one).pieces[7] is known.of(other).pieces[7]
        True
        """
        number, ordinary = self._ids.setdefault, self._ordinary.setdefault
        pieces = {
            number(id, id): ordinary(piece.value, piece) if piece.token_type is ORDINARY else piece
            for id, piece in spec.pieces.items()
        }
        return replace(
            spec,
            pieces=pieces,
            sharing=tuple((id, self._piece(piece)) for id, piece in spec.sharing),
            merges=None if spec.merges is None else self._merges(spec.merges),
            scores=_keyed(spec.scores, pieces),
            product_ranks=_keyed(spec.product_ranks, pieces),
        )

    def _piece(self, piece: Piece) -> Piece:
        """The first piece that is equal; nearly all are ordinary, and only those are kept."""
        if piece.token_type is not ORDINARY:
            return piece
        return self._ordinary.setdefault(piece.value, piece)

    def _merges(self, merges: tuple[tuple[Value, Value], ...]) -> tuple[tuple[Value, Value], ...]:
        known = {value: value for value in self._ordinary}
        parts = list(chain.from_iterable(merges))
        each = map(known.get, parts, parts)
        return tuple(zip(each, each, strict=True))


def _keyed(numbers: Mapping[int, float], pieces: Mapping[int, Piece]) -> Mapping[int, float]:
    """The numbers by the very ids that the pieces have, where each piece has one."""
    if not numbers or list(numbers) != list(pieces):
        return numbers
    return dict(zip(pieces, numbers.values(), strict=True))
