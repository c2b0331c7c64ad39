"""Relation of two vocabularies: equal, subset, renumbered, or overlapping.

Entries are compared by what they are, a kind and a value, and then by id.  Added tokens are left to
their own comparison: some formats list them in the vocabulary, and some do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest
from operator import itemgetter

from tokaudit_reference.spec import AddedToken, Piece, TokenizerSpec
from tokaudit_reference.text.bytes_alphabet import to_bytes


class Relation(StrEnum):
    """Relation of the second vocabulary to the first."""

    IDENTICAL = "identical"
    PERMUTED = "permuted"  # the same entries at other ids
    SUPERSET = "superset"  # the first has all entries of the second at the same ids, and more
    SUBSET = "subset"
    OVERLAPPING = "overlapping"  # each has its own entries, or one has more and ids moved
    DISJOINT = "disjoint"


@dataclass(frozen=True)
class VocabularyRelation:
    """The relation, ids of entries on one side alone, and moved shared ones."""

    relation: Relation
    shared: int
    only_first: tuple[int, ...]
    only_second: tuple[int, ...]
    moved: Mapping[int, int]  # id in the first -> id in the second


def compare_vocabularies(first: TokenizerSpec, second: TokenizerSpec) -> VocabularyRelation:
    """Return the relation of the vocabularies of two specs.

    >>> from tokaudit_reference.spec import ModelType, TokenType
    >>> def spec(*tokens):
    ...     pieces = {id: Piece(TokenType.ORDINARY, token) for id, token in enumerate(tokens)}
    ...     return TokenizerSpec(ModelType.BPE, pieces)
    >>> found = compare_vocabularies(spec("a", "b"), spec("b", "a"))
    >>> str(found.relation), found.moved
    ('permuted', {0: 1, 1: 0})
    >>> found = compare_vocabularies(spec("a", "b"), spec("a"))
    >>> str(found.relation), found.only_first
    ('superset', (1,))
    """
    ours = _ids_by_piece(first, added_elsewhere(second, first))
    theirs = _ids_by_piece(second, added_elsewhere(first, second))
    pairs = [pair for piece in ours for pair in _paired(ours[piece], theirs.get(piece, ()))]
    moved = {a: b for a, b in pairs if a is not None and b is not None and a != b}
    shared = sum(a is not None and b is not None for a, b in pairs)
    only_first = sorted(a for a, b in pairs if a is not None and b is None)
    extra = (b for a, b in pairs if a is None and b is not None)
    unknown = (id for piece, ids in theirs.items() if piece not in ours for id in ids)
    only_second = sorted([*extra, *unknown])
    relation = _relation(bool(only_first), bool(only_second), bool(moved), shared)
    return VocabularyRelation(relation, shared, tuple(only_first), tuple(only_second), moved)


def _relation(first_has_more: bool, second_has_more: bool, moved: bool, shared: int) -> Relation:
    if not first_has_more and not second_has_more:
        return Relation.PERMUTED if moved else Relation.IDENTICAL
    if not shared:
        return Relation.DISJOINT
    if moved or (first_has_more and second_has_more):
        return Relation.OVERLAPPING
    return Relation.SUPERSET if first_has_more else Relation.SUBSET


def added_elsewhere(added: TokenizerSpec, spec: TokenizerSpec) -> set[int]:
    """Return a spec's entries that the other side has too, but as added tokens."""
    both = (t.id for t in added.added_tokens if t.id in spec.pieces and t.id in added.pieces)
    return {id for id in both if _values_at(spec, id) == _values_at(added, id)}


def _values_at(spec: TokenizerSpec, id: int) -> set[bytes | str]:
    return {piece.value for piece in spec.pieces_at(id)}


def _ids_by_piece(spec: TokenizerSpec, left_out: set[int]) -> dict[Piece, list[int]]:
    left_out = left_out | {token.id for token in spec.added_tokens if _is_entry(spec, token)}
    found: dict[Piece, list[int]] = {}
    for id, piece in sorted(spec.each_entry(), key=itemgetter(0)):
        if id not in left_out:
            found.setdefault(piece, []).append(id)
    return found


def _is_entry(spec: TokenizerSpec, token: AddedToken) -> bool:
    """Return whether an added token is the entry at its id, or else gets another id."""
    if token.id not in spec.pieces:
        return True
    written = map(spec.surface, spec.pieces_at(token.id))
    in_bytes = token.content.encode("utf-8", "surrogatepass")
    return not {token.content, in_bytes, to_bytes(token.content)}.isdisjoint(written)


def _paired(ours: Sequence[int], theirs: Sequence[int]) -> list[tuple[int | None, int | None]]:
    """Pair the ids of one entry on both sides: equal ids first, the others in order."""
    same = {*ours} & {*theirs}
    left = [id for id in ours if id not in same]
    right = [id for id in theirs if id not in same]
    return [*((id, id) for id in sorted(same)), *zip_longest(left, right)]
