"""Unigram as a model, by the rules of the library that reads the file.

Hugging Face's tokenizers takes every piece of the vocabulary from text, adds scores up in double
precision and joins neighbouring unknowns before it looks at bytes.  SentencePiece takes ordinary
pieces and symbols of the user only, and keeps its sums in single precision.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from tokaudit_reference.models.fallback import Fallback
from tokaudit_reference.models.symbols import Model, Placed
from tokaudit_reference.models.unigram.viterbi import Unigram
from tokaudit_reference.spec import TokenizerSpec, TokenType

USER_DEFINED_SCORE = 0.1  # for each byte after the first


class UnigramModel(Model):
    """Cuts a pre-token where the scores are best, and looks the parts up."""

    def __init__(self, spec: TokenizerSpec) -> None:
        self._ids = {str(piece.value): id for id, piece in spec.each_entry()}
        self._unknown = spec.unk_id
        self._joins_unknowns = spec.control_from_text
        self._fallback = Fallback(spec, self._ids)
        self.unigram = _of_tokenizers(spec) if spec.control_from_text else _of_sentencepiece(spec)

    def spans(self, piece: str) -> list[Placed]:
        """Encode a pre-token to ids with their ranges."""
        return self.place([piece[start:end] for start, end in self.unigram.segments(piece)])

    def place(self, parts: list[str]) -> list[Placed]:
        """The ids of a segmentation."""
        return self._fallback.place(self._joined(parts) if self._joins_unknowns else parts)

    def _joined(self, parts: list[str]) -> Iterator[str]:
        unknown = ""
        for part in parts:
            if self._ids.get(part, self._unknown) == self._unknown:
                unknown += part
                continue
            if unknown:
                yield unknown
            unknown = ""
            yield part
        if unknown:
            yield unknown


def _of_tokenizers(spec: TokenizerSpec) -> Unigram:
    return Unigram({str(piece.value): spec.scores[id] for id, piece in spec.each_entry()})


def _of_sentencepiece(spec: TokenizerSpec) -> Unigram:
    def of_kind(kind: TokenType) -> dict[str, float]:
        return {
            str(p.value): spec.scores[id] for id, p in spec.each_entry() if p.token_type is kind
        }

    scores = of_kind(TokenType.ORDINARY) | dict(spec.unlisted)
    bonus = {
        text: _single(USER_DEFINED_SCORE * (len(text.encode()) - 1))
        for text in of_kind(TokenType.USER_DEFINED)
    }
    return Unigram(scores, bonus=bonus, single_precision=True)


def _single(number: float) -> float:
    """A number rounded to single precision.

    >>> _single(0.1) == 0.1, round(_single(0.1), 7)
    (False, 0.1)
    """
    return float(struct.unpack("<f", struct.pack("<f", number))[0])
