"""WordPiece as a model: one table for the beginnings of words and one for the rest."""

from __future__ import annotations

from tokaudit_reference.spec import PieceKind, TokenizerSpec
from tokaudit_reference.symbols import Placed
from tokaudit_reference.wordpiece import wordpiece


class WordPiece:
    """Covers a word greedily; a word that is too long or cannot be covered is unknown whole."""

    def __init__(self, spec: TokenizerSpec) -> None:
        self._unknown, self._longest = spec.unknown_id, spec.max_word_characters
        prefix = spec.continuation_prefix
        self._rest = {
            str(piece.value): id
            for id, piece in spec.pieces.items()
            if piece.kind is PieceKind.CONTINUATION or not prefix
        }
        # A word may itself begin with the mark: then the piece is found by its full spelling.
        self._initial = {
            prefix + str(p.value) if p.kind is PieceKind.CONTINUATION else str(p.value): id
            for id, p in spec.pieces.items()
        }

    def encode(self, piece: str) -> list[int]:
        """The ids of a word."""
        return [id for id, _, _ in self.spans(piece)]

    def spans(self, piece: str) -> list[Placed]:
        """The ids with their ranges."""
        found = None
        if len(piece) <= self._longest:
            found = wordpiece(piece, self._initial, self._rest)
        if found is None:
            return [] if self._unknown is None else [(self._unknown, 0, len(piece))]
        return found
