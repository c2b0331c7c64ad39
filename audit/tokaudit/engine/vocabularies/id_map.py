"""Map from the ids of one tokenizer to those of another with the same tokens."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit.engine.vocabularies.relation import compare_vocabularies
from tokaudit_reference.spec import TokenizerSpec

SCHEMA = "tokaudit.map/1"


@dataclass(frozen=True)
class IdMap:
    """Ids of shared tokens, from the first to the second, and ids of one side alone.

    `proved` says that every text becomes the same tokens on both sides, so that mapping its ids is
    all there is to do; else that was found on `texts` texts.
    """

    left: str
    right: str
    proved: bool
    texts: int
    ids: dict[int, int]
    only_left: tuple[int, ...] = ()
    only_right: tuple[int, ...] = ()
    schema: str = SCHEMA


def shared_ids(first: TokenizerSpec, second: TokenizerSpec) -> dict[int, int]:
    """Map ids of the first to ids of the second, for shared entries and added tokens.

    >>> from tokaudit_reference.spec import ModelType, Piece, TokenType
    >>> def spec(*tokens):
    ...     pieces = {id: Piece(TokenType.ORDINARY, token) for id, token in enumerate(tokens)}
    ...     return TokenizerSpec(ModelType.BPE, pieces)
    >>> shared_ids(spec("a", "b"), spec("b", "a", "c"))
    {0: 1, 1: 0}
    """
    found = compare_vocabularies(first, second)
    alone, added = set(found.only_first), {token.id for token in first.added_tokens}
    ids = {id: found.moved.get(id, id) for id in first.pieces if id not in alone | added}
    if first.sharing or second.sharing:  # one of several entries of an id may be elsewhere
        ids = {a: b for a, b in ids.items() if {*first.pieces_at(a)} == {*second.pieces_at(b)}}
    theirs = {token.content: token.id for token in second.added_tokens}
    both = (token for token in first.added_tokens if token.content in theirs)
    return dict(sorted((ids | {token.id: theirs[token.content] for token in both}).items()))


def id_map(
    left: str, right: str, first: TokenizerSpec, second: TokenizerSpec, proved: bool, texts: int
) -> IdMap:
    """Build the map of two tokenizers, with the ids that it leaves out."""
    ids = shared_ids(first, second)
    mine = {*first.pieces, *(token.id for token in first.added_tokens)}
    theirs = {*second.pieces, *(token.id for token in second.added_tokens)}
    only_left, only_right = mine - ids.keys(), theirs - set(ids.values())
    return IdMap(
        left, right, proved, texts, ids, tuple(sorted(only_left)), tuple(sorted(only_right))
    )
