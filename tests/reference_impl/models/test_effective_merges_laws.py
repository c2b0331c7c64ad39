"""What is settled by the last merge alone is what encoding each token gives."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit_reference.models.bpe import effective
from tokaudit_reference.models.bpe.effective import EffectiveMerges, effective_merges
from tokaudit_reference.models.bpe.merge_table import merge_table
from tokaudit_reference.models.bpe.scored_merge import merge_scored
from tokaudit_reference.spec import ModelType, Piece, Priority, TokenizerSpec, TokenType

law = settings(deadline=None, derandomize=True, database=None, max_examples=some(400))


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


@st.composite
def scored(draw: st.DrawFn) -> TokenizerSpec:
    """SentencePiece tables over two letters, of which some pieces are unused or have no id, or letters."""
    texts = draw(st.lists(st.text("ab", min_size=1, max_size=5), max_size=8, unique=True))
    kind = st.sampled_from(["ordinary", "unused", "unlisted"])
    kinds = {text: draw(kind) if len(text) > 1 else "ordinary" for text in texts}
    scores = {text: -float(draw(st.integers(0, 99))) for text in texts}
    listed = [text for text in texts if kinds[text] != "unlisted"]
    types = {text: TokenType(kinds[text]) for text in listed}
    return TokenizerSpec(
        ModelType.BPE,
        {id: Piece(types[text], text) for id, text in enumerate(listed)},
        priority=Priority.PRODUCT,
        product_ranks={id: -scores[text] for id, text in enumerate(listed)},
        scores={id: scores[text] for id, text in enumerate(listed)},
        unlisted={text: scores[text] for text in texts if text not in listed},
        control_from_text=False,
    )


@law
@given(scored())
def test_a_scored_token_is_unmergeable_where_merging_its_letters_does_not_give_it(
    spec: TokenizerSpec,
) -> None:
    pieces = [(id, p.token_type, str(p.value)) for id, p in spec.pieces.items()]
    ranks = {text: spec.product_ranks[id] for id, _, text in pieces}
    ranks |= {text: -score for text, score in spec.unlisted.items()}
    unused = [text for _, kind, text in pieces if kind is TokenType.UNUSED]
    not_merged = {
        id
        for id, kind, text in pieces
        if kind is TokenType.ORDINARY and merge_scored(text, ranks, unused=unused) != [text]
    }
    assert set(effective_merges(spec).unmergeable) == not_merged


@law
@given(scored(), st.sampled_from([1, 3, 100]))
def test_scored_merges_are_those_of_encoding_each_token_whichever_tie(
    spec: TokenizerSpec, most: int
) -> None:
    tied = replace(spec, product_ranks={id: r % most for id, r in spec.product_ranks.items()})
    assert effective_merges(tied) == encoding_each_token(tied)


def test_a_scored_token_is_settled_without_encoding_it() -> None:
    spec = of(["a", "b", "ab", "aba"], [])
    ranks = dict.fromkeys(spec.pieces, 0.0) | {2: 1.0, 3: 2.0}
    scored = replace(spec, merges=None, priority=Priority.PRODUCT, product_ranks=ranks)
    table = merge_table(scored)
    assert effective._settled(scored, scored.ids_by_surface, table) == {2: (1, 0, 1), 3: (2, 2, 0)}


@pytest.mark.parametrize("kind", ["unlisted", "unused"])
def test_a_piece_that_is_never_an_answer_is_a_step_on_the_way_to_one(kind: str) -> None:
    texts = ["h", "t", "p", "ht", "http", "htt"]  # M2M-100 makes "http" of "htt", which has no id
    scores = {
        text: -float(place) for place, text in enumerate(["h", "t", "p", "ht", "htt", "http"])
    }
    listed = texts if kind == "unused" else texts[:-1]
    types = {"htt": TokenType.UNUSED}
    spec = TokenizerSpec(
        ModelType.BPE,
        {id: Piece(types.get(t, TokenType.ORDINARY), t) for id, t in enumerate(listed)},
        priority=Priority.PRODUCT,
        product_ranks={id: -scores[text] for id, text in enumerate(listed)},
        unlisted={} if kind == "unused" else {"htt": scores["htt"]},
    )
    found = effective_merges(spec)
    assert found.unmergeable == () and (0, 1, 3) in found.merges
