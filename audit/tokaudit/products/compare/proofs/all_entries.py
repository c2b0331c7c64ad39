"""Vocabulary entries for the checkers, including those that share an id."""

from __future__ import annotations

from tokaudit_reference.spec import Piece, TokenizerSpec


def entries_of(spec: TokenizerSpec) -> list[tuple[int, Piece]]:
    """Return every entry with its id."""
    return [*spec.sharing, *((id, spec.pieces[id]) for id in spec.pieces)]


def pieces_of(spec: TokenizerSpec) -> list[Piece]:
    """Return every entry."""
    return [piece for _, piece in entries_of(spec)]


def pieces_at(spec: TokenizerSpec, id: int) -> list[Piece]:
    """Return the entries of an id: none, one, or all that share it."""
    own = [spec.pieces[id]] if id in spec.pieces else []
    return [*(piece for at, piece in spec.sharing if at == id), *own]
