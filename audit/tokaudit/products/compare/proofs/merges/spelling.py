"""Symbols of a text before merging, and the treatment of unknown ones.

Equal spellings and equal merges are equal models: the symbols are the same, they are merged alike,
and what no merge takes part in stays what it is.
"""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit.products.compare.proofs.merges.candidates import atoms, is_scored
from tokaudit_reference.models.bpe.merge_table import Surface
from tokaudit_reference.spec import TokenizerSpec, TokenType

EVERY_BYTE = frozenset(bytes([byte]) for byte in range(256))


@dataclass(frozen=True, slots=True)
class Spelling:
    """Symbols of a model and its rule for unknown text, in a comparable form."""

    byte_level: bool
    suffix: str
    symbols: frozenset[Surface]
    user_defined: frozenset[Surface]
    unknown: str  # the rule


def spelling(spec: TokenizerSpec) -> Spelling:
    """Return how a BPE spec spells texts.

    >>> from tokaudit_reference.spec import ModelType, Piece
    >>> pieces = {i: Piece(TokenType.ORDINARY, v) for i, v in enumerate(["a", "ab", "<unk>"])}
    >>> spelling(TokenizerSpec(ModelType.BPE, pieces, unk_id=2)).unknown
    'becomes <unk>'
    """
    suffix = spec.end_of_word_suffix
    longest = 1 + len(suffix.encode())
    short = (piece for piece in spec.ids_by_surface if len(piece) <= longest)
    symbols = frozenset(piece for piece in short if len(atoms(piece, suffix)) == 1)
    frozen = frozenset(
        piece.value
        for piece in spec.every_piece()
        if is_scored(spec) and piece.token_type is TokenType.USER_DEFINED and piece.value
    )
    return Spelling(spec.byte_level, suffix, symbols, frozen, _unknown(spec, symbols))


def _unknown(spec: TokenizerSpec, symbols: frozenset[Surface]) -> str:
    mark = spec.end_of_word_suffix.encode()
    if spec.byte_level and all({byte, byte + mark} <= symbols for byte in EVERY_BYTE):
        return "never happens"
    fallback = [p.value for p in spec.every_piece() if p.token_type is TokenType.BYTE]
    fallback = sorted(set(fallback), key=repr) if spec.byte_fallback else []
    if len(fallback) == len(EVERY_BYTE):
        return "becomes its bytes"
    # SentencePiece puts unknown tokens in, or drops text, after merging, the others before it.
    moment = " after merging" if is_scored(spec) else ""
    bytes_too = f", or its bytes if all are among {fallback}" if fallback else ""
    if spec.unk_lacks_entry:
        return f"is refused{bytes_too}"
    if spec.unk_id is None or spec.unk_id not in spec.pieces:
        return f"is dropped{moment}{bytes_too}"
    fused = ", neighbours one" if spec.fuse_unk or is_scored(spec) else ""
    token = spec.surface(spec.pieces[spec.unk_id])
    name = token if isinstance(token, str) else repr(token)
    return f"becomes {name}{fused}{moment}{bytes_too}"
