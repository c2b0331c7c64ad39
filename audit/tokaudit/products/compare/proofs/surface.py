"""Spelling of an entry in files and merges, for the checkers."""

from __future__ import annotations

from tokaudit_reference.spec import Piece, TokenizerSpec


def surface(spec: TokenizerSpec, piece: Piece) -> bytes | str:
    """Return an entry with its prefix inside a word, or its suffix at the end of one.

    >>> from tokaudit_reference.spec import ModelType, TokenType
    >>> bert = TokenizerSpec(ModelType.WORDPIECE, {}, continuing_subword_prefix="##")
    >>> surface(bert, Piece(TokenType.CONTINUATION, "ing"))
    '##ing'
    """
    kind, value = str(piece.token_type), piece.value
    before = spec.continuing_subword_prefix if kind == "continuation" else ""
    after = spec.end_of_word_suffix if kind == "word_end" else ""
    if isinstance(value, bytes):
        return before.encode() + value + after.encode()
    return before + value + after
