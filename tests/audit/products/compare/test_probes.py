"""What encoders are compared on is drawn from the tier, the seed and the vocabulary alone."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

from tokaudit.engine.texts.probes import CONTEXTS, draw, frozen_probes, known_to_this_unicode
from tokaudit_reference.spec import AddedToken, ModelType, Piece, TokenizerSpec, TokenType

SPEC = TokenizerSpec(
    ModelType.BPE,
    {
        0: Piece(TokenType.ORDINARY, b"a"),
        1: Piece(TokenType.ORDINARY, " héllo".encode()),
        2: Piece(TokenType.ORDINARY, b"\xff"),
    },
    byte_level=True,
    added_tokens=(AddedToken(3, "<|end|>", special=True),),
)


def test_the_same_seed_draws_the_same_texts() -> None:
    assert draw(SPEC, "quick", 5) == draw(SPEC, "quick", 5)


def test_another_seed_draws_other_texts() -> None:
    assert draw(SPEC, "quick", 5) != draw(SPEC, "quick", 6)


def test_no_text_is_drawn_twice() -> None:
    texts = draw(SPEC, "quick", 0).texts
    assert len(texts) == len(set(texts))


def test_the_vocabulary_and_added_tokens_in_context_are_among_the_texts() -> None:
    texts = draw(SPEC, "quick", 0).texts
    assert {" héllo", "<|end|>", "a<|end|>b", *CONTEXTS} <= set(texts)


def test_what_entries_may_cost_together_is_bounded_whatever_their_length() -> None:
    long = {n: Piece(TokenType.ORDINARY, bytes([97 + n]) * 40_000) for n in range(9)}
    drawn = draw(
        replace(
            SPEC,
            pieces=SPEC.pieces
            | {9: Piece(TokenType.ORDINARY, b"x" * 60_000)}
            | {10 + n: p for n, p in long.items()},
        ),
        "quick",
        0,
    )
    assert sum(map(len, drawn.texts)) <= 200_000
    assert max(map(len, drawn.texts)) == 40_000
    assert drawn.too_long > 5
    assert draw(SPEC, "quick", 0).too_long == 0


def test_texts_that_are_left_out_for_their_length_are_not_kept_until_the_end() -> None:
    long = Piece(TokenType.ORDINARY, b"x" * 1_000_000)
    spec = replace(SPEC, pieces={**SPEC.pieces, 4: long})
    tracemalloc.start()
    try:
        draw(spec, "quick", 0)
        assert tracemalloc.get_traced_memory()[1] < 40_000_000
    finally:
        tracemalloc.stop()


def test_characters_newer_than_this_python_are_left_out() -> None:
    assert all(known_to_this_unicode(text) for text in draw(SPEC, "quick", 0).texts)
    assert not known_to_this_unicode("a\u0378")


def test_the_frozen_probes_reach_the_highest_planes_and_hold_no_surrogate() -> None:
    probes = frozen_probes()
    assert max(max(text, default="") for text in probes) > "\U00100000"
    assert not any("\ud800" <= c <= "\udfff" for text in probes for c in text)
