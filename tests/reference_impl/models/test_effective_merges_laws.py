"""What is settled by the last merge alone is what encoding each token gives."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tokaudit_reference.models.bpe import effective
from tokaudit_reference.models.bpe.effective import EffectiveMerges, effective_merges
from tokaudit_reference.spec import ModelType, Piece, TokenizerSpec, TokenType

law = settings(deadline=None, derandomize=True, database=None, max_examples=400)


@st.composite
def tables(draw: st.DrawFn) -> TokenizerSpec:
    """Small tables over two letters: in any order, with pairs listed twice and products missing."""
    known, merges = ["a", "b"], []
    for _ in range(draw(st.integers(1, 9))):
        pair = draw(st.sampled_from(known)), draw(st.sampled_from(known))
        merges.append(pair)
        if "".join(pair) not in known and len("".join(pair)) < 9:
            known.append("".join(pair))
    merges = draw(st.permutations(merges)) if draw(st.booleans()) else merges
    return of(draw(st.permutations(known)), merges)


def of(values: list[str], merges: list[tuple[str, str]]) -> TokenizerSpec:
    pieces = {id: Piece(TokenType.ORDINARY, value) for id, value in enumerate(values)}
    return TokenizerSpec(ModelType.BPE, pieces, merges=tuple(merges))


def encoding_each_token(spec: TokenizerSpec) -> EffectiveMerges:
    with patch.object(effective, "_settled", lambda *_: {}):
        return effective_merges(spec)


@law
@given(tables())
@example(of(["a", "aa", "aaa", "aaaa"], [("a", "a"), ("aa", "a"), ("aa", "aa")]))
@example(of(["a", "aa", "aaa"], [("a", "a"), ("a", "aa")]))
@example(of(["a", "b", "ab", "ba", "aba"], [("a", "b"), ("b", "a"), ("a", "ba")]))
def test_the_effective_merges_are_those_of_encoding_each_token(spec: TokenizerSpec) -> None:
    assert effective_merges(spec) == encoding_each_token(spec)


@pytest.mark.parametrize(
    ("merges", "reachable"),
    [
        ([("a", "b"), ("ab", "a")], True),
        ([("a", "b"), ("b", "a"), ("a", "ba")], False),  # "ab" is made first, across the seam
        ([("b", "a"), ("a", "b"), ("a", "ba")], True),
    ],
)
def test_a_token_is_reached_unless_something_merges_across_its_seam_before(
    merges: list[tuple[str, str]], reachable: bool
) -> None:
    spec = of(["a", "b", "ab", "ba", "aba"], merges)
    assert (4 not in effective_merges(spec).unmergeable) is reachable


def test_what_goes_on_with_a_word_is_made_from_symbols_that_go_on_with_it() -> None:
    values = ["A", "##1", "##7", "A1", "##17", "##71"]
    spec = replace(of(values, [("A", "##1"), ("##1", "##7")]), continuing_subword_prefix="##")
    assert effective_merges(spec) == EffectiveMerges(((0, 1, 3), (1, 2, 4)), (5,))
