"""Possible merges of a BPE model, in one form for every format.

A format either lists pairs, whose rank is their place in the list, or ranks tokens: then whatever
two neighbours spell is looked up, so each way to cut a token in two is a merge with that token's
rank.  Here both become rows of *surfaces*, pieces as the merges write them.  Ids do not matter:
which id a piece has is the vocabulary's business.  Whether a row ever fires is asked in `firing`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tokaudit_reference.models.bpe.merge_table import NEVER_MERGED, Surface, merge_table
from tokaudit_reference.spec import Priority, TokenizerSpec, TokenType

Atoms = tuple[Surface, ...]


class Merge(NamedTuple):
    """Two neighbours, their product, and the rank that decides which merge goes first."""

    rank: float
    left: Surface
    right: Surface
    product: Surface


def candidates(spec: TokenizerSpec) -> tuple[Merge, ...]:
    """Return every possible merge, the best rank first.

    >>> from tokaudit_reference.spec import ModelType, Piece
    >>> pieces = {i: Piece(TokenType.ORDINARY, v) for i, v in enumerate(["a", "b", "ab", "aab"])}
    >>> listed = TokenizerSpec(ModelType.BPE, pieces, merges=(("a", "b"), ("a", "ab")))
    >>> [merge[1:3] for merge in candidates(listed)]
    [('a', 'b'), ('a', 'ab')]
    >>> ranked = TokenizerSpec(
    ...     ModelType.BPE, pieces, priority=Priority.PRODUCT, product_ranks={0: 0, 1: 0, 2: 7, 3: 8}
    ... )
    >>> [merge[:3] for merge in candidates(ranked)]
    [(7, 'a', 'b'), (8, 'a', 'ab')]
    """
    rows = _by_product(spec) if spec.priority is Priority.PRODUCT else _by_pair(spec)
    return tuple(sorted(rows, key=lambda merge: merge.rank))


def is_scored(spec: TokenizerSpec) -> bool:
    """Return whether the model merges like SentencePiece, by scores of tokens."""
    return spec.priority is Priority.PRODUCT and not spec.byte_level


def atoms(value: Surface, suffix: str = "") -> Atoms:
    """Return the symbols of a piece: bytes or characters, the last with the suffix.

    >>> atoms("the"), atoms(b"hi</w>", "</w>")
    (('t', 'h', 'e'), (b'h', b'i</w>'))
    """
    if isinstance(value, bytes):
        mark = suffix.encode()
        body = value.removesuffix(mark)
        parts: list[Surface] = [body[i : i + 1] for i in range(len(body))]
        return tuple(_marked(parts, mark)) if mark and body != value else tuple(parts)
    text = value.removesuffix(suffix)
    return tuple(_marked(list(text), suffix)) if suffix and text != value else tuple(text)


def _marked(parts: Sequence[Surface], mark: Surface) -> list[Surface]:
    *before, last = parts or [mark[:0]]
    return [*before, last + mark]  # type: ignore[operator]


def _by_pair(spec: TokenizerSpec) -> Iterator[Merge]:
    name = {id: value for value, id in spec.ids_by_surface.items()}
    for (left, right), (rank, product) in merge_table(spec).items():
        yield Merge(rank, name[left], name[right], name[product])


def _by_product(spec: TokenizerSpec) -> Iterator[Merge]:
    ranks = _product_ranks(spec)
    # SentencePiece merges characters that are not pieces too; elsewhere parts need an id.
    may_be_part = ranks.keys()
    scored = is_scored(spec)
    lengths = {1, *map(len, ranks)}  # so that a very long token is not cut everywhere
    for value, rank in ranks.items():
        for at in range(1, len(value)):
            if at not in lengths or len(value) - at not in lengths:
                continue
            left, right = value[:at], value[at:]
            if (left in may_be_part or (scored and at == 1)) and (
                right in may_be_part or (scored and at == len(value) - 1)
            ):
                yield Merge(rank, left, right, value)


def _product_ranks(spec: TokenizerSpec) -> Mapping[Surface, float]:
    never = set(NEVER_MERGED)
    if is_scored(spec):
        never -= {TokenType.UNUSED}
    ranks = spec.product_ranks
    return {
        spec.surface(piece): ranks[id]
        for id, piece in spec.each_entry()
        if piece.token_type not in never and id in ranks
    }
