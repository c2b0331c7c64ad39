"""How two vocabularies relate is one of six relations, with the ids that show it."""

from __future__ import annotations

from tokaudit.engine.vocabularies.relation import Relation, compare_vocabularies
from tokaudit_reference.spec import AddedToken, ModelType, Piece, TokenizerSpec, TokenType


def spec(*tokens: str, added: tuple[AddedToken, ...] = ()) -> TokenizerSpec:
    pieces = {id: Piece(TokenType.ORDINARY, token) for id, token in enumerate(tokens)}
    return TokenizerSpec(ModelType.BPE, pieces, added_tokens=added)


def test_equal_vocabularies_are_identical() -> None:
    found = compare_vocabularies(spec("a", "b"), spec("a", "b"))
    assert (found.relation, found.shared, found.moved) == (Relation.IDENTICAL, 2, {})


def test_the_same_entries_at_other_ids_are_a_permutation_with_its_map() -> None:
    found = compare_vocabularies(spec("a", "b", "c"), spec("c", "b", "a"))
    assert (found.relation, found.moved) == (Relation.PERMUTED, {0: 2, 2: 0})


def test_more_entries_on_one_side_are_a_superset_or_a_subset() -> None:
    assert compare_vocabularies(spec("a", "b"), spec("a")).relation is Relation.SUPERSET
    found = compare_vocabularies(spec("a"), spec("a", "b"))
    assert (found.relation, found.only_second) == (Relation.SUBSET, (1,))


def test_a_superset_whose_ids_moved_only_overlaps() -> None:
    found = compare_vocabularies(spec("b", "a"), spec("a"))
    assert (found.relation, found.only_first, found.moved) == (Relation.OVERLAPPING, (0,), {1: 0})


def test_entries_of_its_own_on_each_side_overlap_or_are_disjoint() -> None:
    assert compare_vocabularies(spec("a", "b"), spec("a", "c")).relation is Relation.OVERLAPPING
    found = compare_vocabularies(spec("a"), spec("b"))
    assert (found.relation, found.only_first, found.only_second) == (Relation.DISJOINT, (0,), (0,))


def test_an_entry_that_is_there_twice_is_counted_twice() -> None:
    found = compare_vocabularies(spec("a", "a", "b"), spec("a", "c", "b"))
    assert (found.only_first, found.only_second, found.moved) == ((1,), (1,), {})


def test_an_entry_of_another_kind_is_another_entry() -> None:
    byte = TokenizerSpec(ModelType.BPE, {0: Piece(TokenType.BYTE, "<0x41>")})
    assert compare_vocabularies(byte, spec("<0x41>")).relation is Relation.DISJOINT


def test_added_tokens_are_left_out_whether_or_not_the_vocabulary_lists_them() -> None:
    end = (AddedToken(1, "<end>"),)
    found = compare_vocabularies(spec("a", "<end>", added=end), spec("a", added=end))
    assert found.relation is Relation.IDENTICAL


def test_an_entry_that_one_side_also_looks_for_as_an_added_token_is_the_same_entry() -> None:
    found = compare_vocabularies(spec("a", "the", added=(AddedToken(1, "the"),)), spec("a", "the"))
    assert found.relation is Relation.IDENTICAL
