"""The models as llama.cpp runs them, where it has rules of its own.

* WordPiece: a word is looked up with U+2581 before it, a continuation without; so U+2581 within a
  word goes on with pieces that begin one.  No word is too long.
* BPE by scores: whatever spells an entry of the vocabulary is merged, of any type; entries of the
  user were taken from the text before.
* Unigram: entries that are unused count too, those of the user weigh nothing, and bytes are not
  fallen back on; sums are in double precision.

Source: `llm_tokenizer_wpm_session`, `llm_tokenizer_spm_session` and `llm_tokenizer_ugm_session` in
`llama-vocab.cpp`.
"""

from __future__ import annotations

from array import array
from dataclasses import replace

from tokaudit_reference.models.bpe.scored_model import ScoredBpe
from tokaudit_reference.models.fallback import Fallback
from tokaudit_reference.models.symbols import Model, Placed
from tokaudit_reference.models.unigram.viterbi import UNKNOWN_PENALTY, Unigram
from tokaudit_reference.models.wordpiece import wordpiece
from tokaudit_reference.spec import ModelType, Piece, Priority, TokenizerSpec, TokenType

BEGINNING = "\u2581"
LOOKED_FOR = (TokenType.ORDINARY, TokenType.USER_DEFINED, TokenType.UNUSED)


class BeginningWordPiece(Model):
    """Covers a word greedily by the entries as the file writes them."""

    def __init__(self, spec: TokenizerSpec) -> None:
        self._unknown = spec.unk_id
        self._entries = {_as_in_the_file(piece): id for id, piece in spec.each_entry()}

    def spans(self, piece: str) -> list[Placed]:
        """Encode a word to ids with their ranges; the mark before the word takes no room."""
        found = wordpiece(BEGINNING + piece, self._entries, self._entries)
        if found is None:
            return [] if self._unknown is None else [(self._unknown, 0, len(piece))]
        return [(id, max(0, start - 1), end - 1) for id, start, end in found]


def _as_in_the_file(piece: Piece) -> str:
    begins = piece.token_type is TokenType.ORDINARY
    return BEGINNING + str(piece.value) if begins else str(piece.value)


class AnyScoredBpe(ScoredBpe):
    """Merges neighbours that together spell any entry."""

    merged = frozenset(TokenType)

    def __init__(self, spec: TokenizerSpec) -> None:
        whole = {TokenType.USER_DEFINED, TokenType.UNUSED}  # neither kept whole nor taken apart
        pieces = {
            id: Piece(TokenType.ORDINARY, piece.value) if piece.token_type in whole else piece
            for id, piece in spec.each_entry()
        }
        super().__init__(replace(spec, pieces=pieces))


class DoubleUnigram(Model):
    """Cuts a text where the scores are best; neighbouring unknown characters are one token."""

    def __init__(self, spec: TokenizerSpec) -> None:
        scores = _scores(spec, TokenType.ORDINARY)
        bonus = _scores(spec, TokenType.UNUSED)
        bonus |= dict.fromkeys(_scores(spec, TokenType.USER_DEFINED), 0.0)
        self.unigram = Unigram(scores, bonus=bonus)
        lowest = min(scores.values(), default=0.0) - UNKNOWN_PENALTY
        self.unigram.unknown_score = array("f", [lowest])[0]
        kept = {i: p for i, p in spec.each_entry() if p.token_type in LOOKED_FOR}
        ids = {str(piece.value): id for id, piece in kept.items()}
        self._fallback = Fallback(replace(spec, byte_fallback=False), ids)

    def spans(self, piece: str) -> list[Placed]:
        """Encode a pre-token to ids with their ranges."""
        parts = [piece[start:end] for start, end in self.unigram.segments(piece)]
        return self._fallback.place(parts)


def _scores(spec: TokenizerSpec, kind: TokenType) -> dict[str, float]:
    return {str(p.value): spec.scores[id] for id, p in spec.each_entry() if p.token_type is kind}


def of_llama_cpp(spec: TokenizerSpec) -> BeginningWordPiece | AnyScoredBpe | DoubleUnigram | None:
    """Return the model of a spec; None for models that llama.cpp runs as others do."""
    if spec.model_type is ModelType.WORDPIECE:
        return BeginningWordPiece(spec)
    if spec.model_type is ModelType.UNIGRAM:
        return DoubleUnigram(spec)
    scored = spec.model_type is ModelType.BPE and spec.priority is Priority.PRODUCT
    return AnyScoredBpe(spec) if scored else None
