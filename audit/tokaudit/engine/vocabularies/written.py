"""Entries and merges of a `tokenizer.json` as written, independent of its steps.

What an entry stands for depends on what is stated elsewhere: bytes, where some step makes bytes of
a text; a byte, where `byte_fallback` is on; the inside of a word, by the prefix; the unknown token,
by its name.  A file in which only such a statement changed has the same entries all the same, and
its tables are compared as they are written, so that the statement is blamed and not the table.
"""

from __future__ import annotations

from dataclasses import replace

from tokaudit_reference.spec import Piece, TokenizerSpec, TokenType
from tokaudit_reference.text.bytes_alphabet import to_characters

FORMAT = "tokenizer.json"  # the one in which settings decide what an entry is
AS_WRITTEN = "as written"


def both_written(first: TokenizerSpec, second: TokenizerSpec) -> bool:
    """Return whether both specs are from files where settings decide an entry's meaning."""
    return first.format == second.format == FORMAT


def as_written(spec: TokenizerSpec) -> TokenizerSpec:
    """Return a spec with entries and merges in the file's spelling.

    >>> from tokaudit_reference.spec import ModelType
    >>> pieces = {0: Piece(TokenType.ORDINARY, b" a"), 1: Piece(TokenType.CONTROL, "<|end|>")}
    >>> spec = TokenizerSpec(ModelType.BPE, pieces, byte_level=True, merges=((b" ", b"a"),))
    >>> found = as_written(spec)
    >>> [piece.value for piece in found.every_piece()], found.merges
    (['Ġa', '<|end|>'], (('Ġ', 'a'),))
    """
    ordinary = TokenType.ORDINARY

    def written(piece: Piece) -> Piece:
        return Piece(ordinary, _letters(spec.surface(piece)))

    pieces = {id: written(piece) for id, piece in spec.pieces.items()}
    sharing = tuple((id, written(piece)) for id, piece in spec.sharing)
    merges = spec.merges and tuple((_letters(a), _letters(b)) for a, b in spec.merges)
    return replace(spec, pieces=pieces, sharing=sharing, merges=merges, byte_level=False)


def _letters(value: bytes | str) -> str:
    return value if isinstance(value, str) else to_characters(value)
