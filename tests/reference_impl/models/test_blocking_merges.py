"""Why a token cannot come out: the first merge that takes a part of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokaudit_reference.models.bpe.blocking import MOST_SYMBOLS, Blocked, blocked, follow
from tokaudit_reference.models.bpe.effective import effective_merges
from tokaudit_reference.models.bpe.merge import merge_textbook
from tokaudit_reference.models.bpe.merge_table import merge_table
from tokaudit_reference.spec import ModelType, Piece, Priority, TokenizerSpec, TokenType


def bpe(merges: list[tuple[str, str]], *more: str) -> TokenizerSpec:
    letters = sorted({letter for pair in merges for part in pair for letter in part})
    values = dict.fromkeys([*letters, *(a + b for a, b in merges), *more])
    pieces = {id: Piece(TokenType.ORDINARY, value) for id, value in enumerate(values)}
    return TokenizerSpec(ModelType.BPE, pieces, merges=tuple(merges))


def why(spec: TokenizerSpec, value: str) -> Blocked:
    id = spec.ids_by_surface[value]
    assert id in effective_merges(spec).unmergeable
    return blocked(spec, [id])[id]


def test_a_merge_across_the_seam_is_named_with_its_rank() -> None:
    spec = bpe([("木", "齐"), ("乌", "鲁"), ("乌鲁", "木"), ("乌鲁木", "齐")])
    found = why(spec, "乌鲁木齐")
    assert (found.wanted, found.rank) == (("乌鲁木", "齐"), 3)
    assert (found.taken, found.taken_rank) == (("木", "齐"), 0)
    assert found.left == ("乌鲁", "木齐")


def test_a_seam_within_a_part_is_found_where_that_of_the_token_is_not_crossed() -> None:
    spec = bpe([("b", "c"), ("a", "b"), ("ab", "c"), ("abc", "d")])
    found = why(spec, "abcd")
    assert (found.wanted, found.taken, found.left) == (("abc", "d"), ("b", "c"), ("a", "bc", "d"))


def test_a_token_that_no_merge_makes_has_no_seam() -> None:
    found = why(bpe([("a", "b"), ("c", "d")], "abcd"), "abcd")
    assert found == Blocked(None, None, None, None, ("ab", "cd"))


def test_a_part_that_no_merge_makes_is_not_blamed_on_a_merge() -> None:
    found = why(bpe([("a", "b"), ("abc", "d")], "abc"), "abcd")
    assert (found.wanted, found.taken, found.left) == (("abc", "d"), None, ("ab", "c", "d"))


def test_a_merge_of_a_part_that_comes_after_the_tokens_own_is_named() -> None:
    spec = bpe([("t", "he"), ("t", "h"), ("h", "e")])
    found = why(spec, "the")
    assert (found.rank, found.taken_rank, found.late) == (0, 1, 2)


def test_no_merge_is_late_where_each_comes_after_those_of_its_parts() -> None:
    assert why(bpe([("b", "c"), ("a", "b"), ("ab", "c")]), "abc").late is None


def test_ranks_of_products_are_followed_too() -> None:
    ranked = ["a", "b", "c", "d", "bc", "ab", "cd", "abcd"]
    pieces = {id: Piece(TokenType.ORDINARY, v.encode()) for id, v in enumerate(ranked)}
    ranks = {id: id for id in pieces}
    spec = TokenizerSpec(ModelType.BPE, pieces, priority=Priority.PRODUCT, product_ranks=ranks)
    assert blocked(spec, effective_merges(spec).unmergeable) == {
        7: Blocked((b"ab", b"cd"), 7, (b"b", b"c"), 4, (b"a", b"bc", b"d"))
    }


@pytest.mark.parametrize("size", [MOST_SYMBOLS + 1, 10_000])
def test_a_token_of_very_many_symbols_is_left_out(size: int) -> None:
    spec = bpe([("a", "b")], "a" * size)
    assert blocked(spec, [spec.ids_by_surface["a" * size]]) == {}


PAIRS = st.lists(
    st.tuples(st.text("ab", min_size=1, max_size=3), st.text("abc", min_size=1, max_size=2))
)


@given(PAIRS, st.text("abc", min_size=1, max_size=8))
def test_what_is_followed_is_what_the_textbook_merges(
    merges: list[tuple[str, str]], text: str
) -> None:
    spec = bpe([("a", "b"), *merges, ("c", "a")])
    table, symbols = merge_table(spec), [spec.ids_by_surface[letter] for letter in text]
    fired, left = follow(symbols, table)
    assert left == merge_textbook(symbols, table)
    assert len(fired) == len(symbols) - len(left)


@given(PAIRS)
def test_every_token_that_cannot_be_made_has_a_reason_that_fired(
    merges: list[tuple[str, str]],
) -> None:
    spec = bpe([("a", "b"), *merges, ("c", "a")])
    stuck = effective_merges(spec).unmergeable
    for found in blocked(spec, stuck).values():
        assert len(found.left) > 1
        if found.taken is not None:
            assert found.taken in (spec.merges or ())
