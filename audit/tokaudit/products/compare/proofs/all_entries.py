"""The entries of a vocabulary, as the checkers read them: those that share an id are all there."""

from __future__ import annotations

from tokaudit_reference.spec import Piece, TokenizerSpec


def entries_of(spec: TokenizerSpec) -> list[tuple[int, Piece]]:
    """Every entry with its id."""
    return [*spec.sharing, *((id, spec.pieces[id]) for id in spec.pieces)]


def pieces_of(spec: TokenizerSpec) -> list[Piece]:
    """Every entry by itself."""
    return [piece for _, piece in entries_of(spec)]


def pieces_at(spec: TokenizerSpec, id: int) -> list[Piece]:
    """The entries of an id: none, one, or all that share it."""
    own = [spec.pieces[id]] if id in spec.pieces else []
    return [*(piece for at, piece in spec.sharing if at == id), *own]
