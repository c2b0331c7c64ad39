"""Shared parts of formats: checked ids, and pieces for bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from tokaudit_reference.spec import Piece, SpecError, TokenType

BYTE = re.compile(r"<0x([0-9A-F]{2})>")
# The numbers of SentencePiece's ModelProto.SentencePiece.Type, which GGUF took over.
PIECE_TYPES = {
    1: TokenType.ORDINARY,
    2: TokenType.UNKNOWN,
    3: TokenType.CONTROL,
    4: TokenType.USER_DEFINED,
    5: TokenType.UNUSED,
    6: TokenType.BYTE,
}
MOST_PIECES = 1_000_000  # of a vocabulary; the largest published have 262,144, a quarter of it
MOST_MERGES = 2_000_000  # the largest published tokenizer lists 580,604
HIGHEST_ID = 2**32 - 1  # what the libraries' unsigned 32 bits hold


def refuse_many(count: int, what: str, most: int, file: str, pointer: str = "") -> None:
    """Raise `SpecError` for more entries than the memory limit allows."""
    if count > most:
        raise SpecError(
            f"has {count:,} {what}; at most {most:,} are read", file=file, pointer=pointer
        )


def byte_piece(token: str) -> Piece | None:
    """Return the byte that `<0x41>` stands for, as a piece.

    >>> byte_piece("<0x41>"), byte_piece("<0x4>")
    (Piece(token_type=<TokenType.BYTE: 'byte'>, value='<0x41>'), None)
    """
    return Piece(TokenType.BYTE, token) if BYTE.fullmatch(token) else None


def by_id(
    entries: Iterable[tuple[int, Piece]],
) -> tuple[dict[int, Piece], tuple[tuple[int, Piece], ...]]:
    """Return the last entry of each id, and earlier entries with the same id.

    >>> a, b = byte_piece("<0x41>"), byte_piece("<0x42>")
    >>> by_id([(0, a), (0, b)]) == ({0: b}, ((0, a),))
    True
    """
    found: dict[int, Piece] = {}
    sharing = []
    for id, piece in entries:
        if id in found:
            sharing.append((id, found[id]))
        found[id] = piece
    return found, tuple(sharing)


def plain_ids(vocab: Any, file: str, pointer: str) -> dict[str, int]:
    """Return a vocabulary object if its ids suit the libraries; else raise `SpecError`."""
    if not isinstance(vocab, dict):
        raise SpecError("is not an object of token and id", file=file, pointer=pointer)
    refuse_many(len(vocab), "tokens", MOST_PIECES, file, pointer)
    ids = vocab.values()
    if set(map(type, ids)) == {int} and min(ids) >= 0 and max(ids) <= HIGHEST_ID:
        return vocab  # as nearly always
    for token, id in vocab.items():
        if type(id) is not int or not 0 <= id <= HIGHEST_ID:
            raise SpecError(
                f"token {token[:40]!r} has the id {str(id)[:40]}; expected 0 to 2^32-1",
                file=file,
                pointer=pointer,
            )
    return vocab
