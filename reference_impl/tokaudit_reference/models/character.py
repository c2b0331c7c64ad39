"""SentencePiece's character model: every character, and every symbol of the user, is a token.

Source: `char_model.cc` in sentencepiece.
"""

from __future__ import annotations

from tokaudit_reference.models.fallback import Fallback
from tokaudit_reference.models.symbols import Model, Placed
from tokaudit_reference.models.user_defined import UserDefined
from tokaudit_reference.spec import TokenizerSpec


class Character(Model):
    """Looks characters up."""

    def __init__(self, spec: TokenizerSpec) -> None:
        self._user_defined = UserDefined(spec)
        ids = {str(piece.value): id for id, piece in spec.each_entry()}
        self._fallback = Fallback(spec, ids)

    def spans(self, piece: str) -> list[Placed]:
        """Encode a pre-token to ids with their ranges."""
        symbols, _ = self._user_defined.symbols(piece)
        return self._fallback.place(symbols)
