"""WordPiece: the longest piece that matches, again and again; one failure makes the word unknown.

It does not split text into words, and trains nothing.

Source: `tokenization.py` in the BERT release.
"""

from __future__ import annotations

from collections.abc import Mapping

from tokaudit_reference.models.symbols import Model, Placed
from tokaudit_reference.spec import TokenizerSpec, TokenType


def wordpiece(
    word: str, initial: Mapping[str, int], continuation: Mapping[str, int]
) -> list[Placed] | None:
    """The ids of a word with their ranges, or None if it cannot be covered.

    `initial` holds pieces that begin a word, `continuation` the others, without their mark.

    >>> wordpiece("unable", {"un": 1, "u": 2}, {"able": 3})
    [(1, 0, 2), (3, 2, 6)]
    >>> wordpiece("unit", {"un": 1}, {"able": 3})
    """
    found: list[Placed] = []
    at = 0
    while at < len(word):
        pieces = continuation if at else initial
        end = len(word)
        while end > at and word[at:end] not in pieces:
            end -= 1
        if end == at:
            return None
        found.append((pieces[word[at:end]], at, end))
        at = end
    return found


class WordPiece(Model):
    """Covers a word greedily; a word that is too long or has no cover is one unknown token."""

    def __init__(self, spec: TokenizerSpec) -> None:
        self._unknown, self._longest = spec.unk_id, spec.max_input_chars_per_word
        prefix = spec.continuing_subword_prefix
        self._rest = {
            str(piece.value): id
            for id, piece in spec.each_entry()
            if piece.token_type is TokenType.CONTINUATION or not prefix
        }
        # A word may itself begin with the mark: then the piece is found by its full spelling.
        self._initial = {
            prefix + str(p.value) if p.token_type is TokenType.CONTINUATION else str(p.value): id
            for id, p in spec.each_entry()
        }

    def spans(self, piece: str) -> list[Placed]:
        """Encode a pre-token to ids with their ranges."""
        found = None
        if len(piece) <= self._longest:
            found = wordpiece(piece, self._initial, self._rest)
        if found is None:
            return [] if self._unknown is None else [(self._unknown, 0, len(piece))]
        return found
