"""WordLevel: a word is a token or unknown.

SentencePiece's model of this kind cuts the text before each of its marks for a space; elsewhere
the pre-tokenizer has done that.

Source: `word_model.cc` in sentencepiece; `models/wordlevel` in Hugging Face's tokenizers.
"""

from __future__ import annotations

import re

from tokaudit_reference.models.fallback import Fallback
from tokaudit_reference.models.symbols import Model, Placed
from tokaudit_reference.spec import TokenizerSpec

BEFORE_A_MARK = re.compile("(?=\u2581)")


class WordLevel(Model):
    """Looks words up."""

    def __init__(self, spec: TokenizerSpec) -> None:
        ids = {str(piece.value): id for id, piece in spec.each_entry()}
        self._fallback = Fallback(spec, ids)
        self._cuts = any(step.effects.model_cuts_words for step in spec.normalizer.steps)

    def spans(self, piece: str) -> list[Placed]:
        """Encode a pre-token to ids with their ranges."""
        words = filter(None, BEFORE_A_MARK.split(piece)) if self._cuts else [piece]
        return self._fallback.place(words)
