"""SentencePiece-style BPE as a model: symbols of the user whole, the rest merged by score."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tokaudit_reference.models.bpe.scored_merge import merge_scored
from tokaudit_reference.models.bpe.slice_merge import SHIFT, merge_slices
from tokaudit_reference.models.fallback import Fallback
from tokaudit_reference.models.symbols import Model, Placed
from tokaudit_reference.models.user_defined import UserDefined
from tokaudit_reference.spec import TokenizerSpec, TokenType

MERGED = (TokenType.ORDINARY, TokenType.USER_DEFINED, TokenType.UNUSED)


class ScoredBpe(Model):
    """Spells a text in characters and user-defined symbols, and merges neighbours into pieces."""

    merged: Collection[TokenType] = MERGED  # the kinds of pieces that a merge may make

    def __init__(self, spec: TokenizerSpec) -> None:
        ids = {str(piece.value): id for id, piece in spec.each_entry()}
        ranks = {
            str(piece.value): spec.product_ranks[id]
            for id, piece in spec.each_entry()
            if piece.token_type in self.merged
        }
        ranks |= {text: -score for text, score in spec.unlisted.items()}
        order = {rank: index for index, rank in enumerate(sorted(set(ranks.values())))}
        self._ranks = {text: order[rank] for text, rank in ranks.items()}
        self._keys = {text: order[rank] << SHIFT for text, rank in ranks.items()}
        self._user_defined = UserDefined(spec)
        self._unused = {
            str(p.value) for _, p in spec.each_entry() if p.token_type is TokenType.UNUSED
        }
        self._fallback = Fallback(spec, ids)

    def spans(self, piece: str) -> list[Placed]:
        """Encode a pre-token to ids with their ranges."""
        return self._fallback.place(self._parts(piece))

    def _parts(self, piece: str) -> Sequence[str]:
        symbols, frozen = self._user_defined.symbols(piece)
        if not frozen and not self._unused:
            return merge_slices(piece, self._keys)
        return merge_scored(symbols, self._ranks, frozen=frozen, unused=self._unused)
