"""Text of a vocabulary entry."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit_reference.spec import Piece, TokenizerSpec, TokenType

NOT_TEXT = frozenset({TokenType.BYTE, TokenType.CONTROL, TokenType.UNKNOWN, TokenType.UNUSED})


def own_texts(spec: TokenizerSpec) -> Iterator[str]:
    """Yield the text of each entry that is text, with the model's marks as spaces."""
    for piece in spec.every_piece():
        text = piece_text(piece)
        if text:
            yield text


def piece_text(piece: Piece) -> str | None:
    """Return the text of a piece, or None if it is not a whole text."""
    if piece.token_type in NOT_TEXT:
        return None
    if isinstance(piece.value, str):
        return piece.value.replace("\u2581", " ")
    try:
        return piece.value.decode()
    except UnicodeDecodeError:
        return None
