"""What a proof needs besides the merges: each rule that could break it is named."""

from __future__ import annotations

from dataclasses import replace

import pytest
from merge_tables import objection_to, spec_of

from tokaudit.products.compare.proofs.merges.check import unlike
from tokaudit.products.compare.proofs.merges.model import merge_model
from tokaudit.products.compare.proofs.merges.prove import compare_merges
from tokaudit.products.compare.proofs.merges.verdict import Differs, NotProved, Proved
from tokaudit_reference.spec import ModelType, Piece, Priority, TokenizerSpec, TokenType

TABLE = spec_of((("a", "b"), ("ab", "a")))


def with_piece(spec: TokenizerSpec, kind: TokenType, value: str) -> TokenizerSpec:
    return replace(spec, pieces={**spec.pieces, len(spec.pieces): Piece(kind, value)})


def scored(*tokens: str, scores: tuple[float, ...] | None = None) -> TokenizerSpec:
    ranks = scores or tuple(range(len(tokens)))
    pieces = {id: Piece(TokenType.ORDINARY, token) for id, token in enumerate(tokens)}
    return replace(
        TABLE,
        pieces=pieces,
        merges=None,
        priority=Priority.PRODUCT,
        product_ranks=dict(enumerate(ranks)),
    )


def byte_level(*pairs: tuple[bytes, bytes], **settings: object) -> TokenizerSpec:
    tokens = [bytes([b]) for b in range(256)] + [left + right for left, right in pairs]
    pieces = {id: Piece(TokenType.ORDINARY, token) for id, token in enumerate(tokens)}
    return replace(TABLE, pieces=pieces, merges=pairs, byte_level=True, **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        (replace(TABLE, dropout=0.1), "dropout makes the tokens random"),
        (
            replace(TABLE, continuing_subword_prefix="##"),
            "parts after the first are marked with '##'",
        ),
        (
            replace(TABLE, end_of_word_suffix="</w>", ignore_merges=True),
            "pieces are looked up whole, and words have a mark at their end",
        ),
        (
            with_piece(scored("a", "b", "ab"), TokenType.UNUSED, "x"),
            "unused pieces are taken apart again after merging",
        ),
        (
            replace(TABLE, model_type=ModelType.WORDPIECE),
            "the model is wordpiece, which has no merges",
        ),
    ],
)
def test_what_has_no_argument_is_not_proved_and_named(spec: TokenizerSpec, why: str) -> None:
    assert merge_model(spec).obstacle == why


def test_an_unknown_token_that_merges_name_is_an_obstacle() -> None:
    pieces = ["a", "<unk>", "<unk>a"]
    spec = replace(
        TABLE,
        pieces={id: Piece(TokenType.ORDINARY, value) for id, value in enumerate(pieces)},
        merges=(("<unk>", "a"),),
        unk_id=1,
    )
    found = compare_merges(spec, spec)
    assert isinstance(found, NotProved)
    assert found.why.startswith("'<unk>' is put in for what is not in the vocabulary")


def test_unknown_tokens_that_no_merge_names_are_no_obstacle() -> None:
    spec = replace(with_piece(TABLE, TokenType.UNKNOWN, "<unk>"), unk_id=4)
    assert isinstance(compare_merges(spec, spec), Proved)
    fused = replace(spec, fuse_unk=True)
    found = compare_merges(spec, fused)
    assert isinstance(found, Differs | NotProved)


def test_byte_fallback_with_every_byte_makes_the_unknown_rule_silent() -> None:
    spec = replace(TABLE, byte_fallback=True)
    for byte in range(256):
        spec = with_piece(spec, TokenType.BYTE, f"<0x{byte:02X}>")
    assert isinstance(compare_merges(spec, replace(spec, fuse_unk=True)), Proved)


def test_dropped_and_unknown_characters_are_a_difference() -> None:
    unknown = replace(with_piece(TABLE, TokenType.UNKNOWN, "<unk>"), unk_id=4)
    found = compare_merges(TABLE, unknown)
    assert isinstance(found, Differs)
    assert (found.witness.text, found.witness.first, found.witness.second) == ("☃", (), ("<unk>",))


def test_whole_lookup_changes_nothing_where_merging_gives_every_piece() -> None:
    spec = byte_level((b"a", b"b"))
    looked_up = replace(spec, ignore_merges=True)
    found = compare_merges(spec, looked_up)
    assert isinstance(found, Proved)
    assert objection_to(found.certificate, spec, looked_up) == ""


def test_whole_lookup_of_a_piece_that_merging_does_not_give_is_a_difference() -> None:
    spec = byte_level((b"a", b"b"), (b"b", b"c"), (b"a", b"bc"))
    looked_up = replace(spec, ignore_merges=True)
    found = compare_merges(spec, looked_up)
    assert isinstance(found, Differs)
    assert (found.witness.text, found.witness.first) == ("abc", (b"ab", b"c"))
    assert unlike(spec, looked_up) == ("the two do not take the same pieces whole")


def test_scores_and_a_list_of_the_same_merges_have_one_form() -> None:
    listed = replace(scored("a", "b", "ab", "aba"), priority=Priority.PAIR, product_ranks={})
    listed = replace(listed, merges=(("a", "b"), ("ab", "a")))
    assert merge_model(listed).form == merge_model(scored("a", "b", "ab", "aba")).form


def test_competing_tokens_of_one_score_are_not_canonical() -> None:
    form = merge_model(scored("a", "b", "ab", "ba", scores=(0, 0, 1, 1))).form
    assert form.name == "merges-in-order-v1"
    assert form.not_canonical == "merges that share the piece 'a' share the rank 1"


def test_tokens_of_one_score_that_share_no_piece_are_canonical() -> None:
    one = scored("a", "b", "c", "d", "ab", "cd", scores=(0, 0, 0, 0, 1, 1))
    other = scored("a", "b", "c", "d", "ab", "cd", scores=(0, 0, 0, 0, 2, 1))
    found = compare_merges(one, other)
    assert isinstance(found, Proved)
    assert objection_to(found.certificate, one, other) == ""


def test_the_mark_of_a_words_end_is_a_symbol_like_any_other() -> None:
    def clip(*pairs: tuple[str, str]) -> TokenizerSpec:
        kinds = [("a", TokenType.ORDINARY), ("b", TokenType.ORDINARY)]
        kinds += [("a", TokenType.WORD_END), ("b", TokenType.WORD_END)]
        kinds += [("ab", TokenType.WORD_END), ("ab", TokenType.ORDINARY)]
        pieces = {id: Piece(kind, value) for id, (value, kind) in enumerate(kinds)}
        return replace(TABLE, pieces=pieces, merges=pairs, end_of_word_suffix="</w>")

    both, one = clip(("a", "b"), ("a", "b</w>")), clip(("a", "b"))
    assert isinstance(compare_merges(both, clip(("a", "b</w>"), ("a", "b"))), Proved)
    found = compare_merges(both, one)
    assert isinstance(found, Differs)
    assert (found.witness.text, found.witness.first) == ("ab", ("ab</w>",))
