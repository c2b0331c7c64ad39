"""The checker's view of a model without its merges: how text is spelled in symbols.

A proof about merges says something only where symbols arise in two ways: a text is spelled in them,
or a merge makes them of its two parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from tokaudit.products.compare.proofs.all_entries import pieces_of
from tokaudit.products.compare.proofs.surface import surface
from tokaudit_reference.spec import Dialect, ModelType, Piece, Priority, TokenizerSpec, TokenType

Surface = bytes | str
Pair = tuple[Surface, Surface]
ALL_BYTES = 256


def scored(spec: TokenizerSpec) -> bool:
    """Return whether text is merged as in SentencePiece, by scores of tokens."""
    return not spec.byte_level and spec.priority is Priority.PRODUCT


def symbols(piece: Surface, suffix: str = "") -> list[Surface]:
    """Return a piece's bytes or characters, the last one with the end-of-word mark.

    >>> symbols("ab</w>", "</w>"), symbols(b"ab")
    (['a', 'b</w>'], [b'a', b'b'])
    """
    mark: Surface = suffix.encode() if isinstance(piece, bytes) else suffix
    ends = bool(mark) and piece.endswith(mark)  # type: ignore[arg-type]
    body = piece[: -len(mark)] if ends else piece
    found: list[Surface] = [body[at : at + 1] for at in range(len(body))]
    if ends:
        found[-1:] = [(found[-1] if found else body) + mark]  # type: ignore[operator]
    return found


def spelled(spec: TokenizerSpec) -> tuple[object, ...]:
    """Return all that decides a text's first symbols; equal values spell alike."""
    suffix = spec.end_of_word_suffix
    longest = 1 + len(suffix.encode())
    single = {
        piece
        for piece in map(partial(surface, spec), pieces_of(spec))
        if len(piece) <= longest and len(symbols(piece, suffix)) == 1
    }
    kept = {p.value for p in pieces_of(spec) if p.token_type is TokenType.USER_DEFINED}
    kept = kept - {"", b""} if scored(spec) else set()
    return spec.byte_level, suffix, single, kept, _unknown(spec, single)


def _unknown(spec: TokenizerSpec, single: set[Surface]) -> tuple[object, ...]:
    """Return the treatment of text without a symbol."""
    ends = {b"", spec.end_of_word_suffix.encode()}
    every = {bytes((byte,)) + end for byte in range(ALL_BYTES) for end in ends}
    if spec.byte_level and every <= single:
        return ("never happens",)
    fallback = {p.value for p in _pieces(spec, TokenType.BYTE)} if spec.byte_fallback else set()
    if len(fallback) == ALL_BYTES:
        return ("bytes",)
    token = None if spec.unk_id is None else spec.pieces.get(spec.unk_id)
    if spec.unk_lacks_entry:
        return "refused", fallback
    if token is None:
        return "dropped", scored(spec), fallback
    return surface(spec, token), spec.fuse_unk or scored(spec), scored(spec), fallback


def _pieces(spec: TokenizerSpec, of_type: TokenType) -> list[Piece]:
    return [piece for piece in pieces_of(spec) if piece.token_type is of_type]


def obstacle(spec: TokenizerSpec, merges: Sequence[Pair]) -> str:
    """Explain what breaks the precondition on symbols; "" if nothing does."""
    return next(_obstacles(spec, merges), "")


def _obstacles(spec: TokenizerSpec, merges: Sequence[Pair]) -> Iterator[str]:
    by_rank = spec.priority is Priority.PRODUCT
    if spec.model_type is not ModelType.BPE:
        yield f"a {spec.model_type} model has no merges"
    if spec.sharing:
        yield "a merge is one of ids, and some entries share theirs"
    if spec.dropout:
        yield "dropout leaves merges out at random"
    if spec.continuing_subword_prefix:
        yield "parts of a word are marked by where they are"
    # Refuse NaN, which has no place in an order.
    if by_rank and any(rank != rank for rank in spec.product_ranks.values()):
        yield "a rank is not a number"
    if spec.end_of_word_suffix and (by_rank or spec.ignore_merges):
        yield "words have a mark at their end, and merges are not all that makes tokens"
    if spec.end_of_word_suffix and not _marks_ends_alone(spec.end_of_word_suffix, merges):
        yield "a merge writes the mark of a word's end elsewhere"
    # Refuse unused pieces: no table of merges shows how they are taken apart.
    if scored(spec) and _pieces(spec, TokenType.UNUSED):
        yield "unused pieces are taken apart after merging"
    if scored(spec) and spec.dialect is Dialect.LLAMA_CPP:
        yield "llama.cpp merges control tokens too"
    if spec.unlisted or _pieces(spec, TokenType.LOOKED_UP):
        yield "the vocabulary is not that of the model"
    unknown = None if spec.unk_id is None else spec.pieces.get(spec.unk_id)
    # Tell text from its replacement: a text may hold this character itself.
    if scored(spec) and unknown is not None and len(unknown.value) == 1:
        yield "the unknown token is a character that text may hold"
    put_in = [unknown] if unknown is not None else []
    put_in += _pieces(spec, TokenType.BYTE) if spec.byte_fallback else []
    parts = {part for pair in merges for part in pair}
    # Leave out scored models: they put these in only after merging.
    if not scored(spec) and any(surface(spec, piece) in parts for piece in put_in):
        yield "the symbol for unknown text is part of merges"


def _marks_ends_alone(suffix: str, merges: Iterable[Pair]) -> bool:
    """Return whether the mark is only at the end of right parts with more than the mark."""
    for left, right in merges:
        mark: Surface = suffix.encode() if isinstance(right, bytes) else suffix
        first: Surface = suffix.encode() if isinstance(left, bytes) else suffix
        ends = right.endswith(mark) and len(right) > len(mark)  # type: ignore[arg-type]
        if first in left or right.count(mark) != ends:  # type: ignore[operator, arg-type]
            return False
        if (left + right).count(mark) != ends:  # type: ignore[operator, arg-type]
            return False
    return True
