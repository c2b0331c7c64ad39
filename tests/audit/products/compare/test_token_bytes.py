"""Decoders that join the bytes of their tokens are proved equal on all tokens."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import Trial
from tokaudit.products.compare.facets.decoding import decoder
from tokaudit.products.compare.proofs.tokens.prove import alike_on_tokens
from tokaudit.products.compare.recheck.proofs import objection
from tokaudit.report.comparison import Comparison, Outcome, Proof, Relation
from tokaudit_reference.spec import (
    AddedToken,
    Component,
    ModelType,
    Piece,
    Standing,
    TokenizerSpec,
    TokenType,
)

PIECES = {id: Piece(TokenType.ORDINARY, bytes([id])) for id in range(256)}


def spec(type: str) -> TokenizerSpec:
    decoder = Component({"type": type}, Standing.STATED).at("decoder")
    return TokenizerSpec(ModelType.BPE, PIECES, byte_level=True, decoder=decoder)


def test_bytes_joined_by_two_libraries_are_proved_the_same_and_can_be_checked_again() -> None:
    left, right = Side("left", spec("ByteLevel")), Side("right", spec("Bytes"))
    found = decoder(left, right, Trial(left, right, []))
    assert found.outcome is Outcome.EQUIVALENT
    assert found.certificate is not None and found.certificate.proof is Proof.TOKENS
    assert found.certificate.entries == 256
    stored = Comparison("left", "right", 0, 0, Relation.SAME)
    assert objection(left, right, found, stored) == ""
    fewer = replace(right.spec, pieces={id: PIECES[id] for id in range(255)})
    assert objection(left, replace(right, spec=fewer), found, stored) == (
        "both have 255 tokens, not 256"
    )
    spaced = replace(right, spec=spec("Fuse"))
    assert objection(left, spaced, found, stored) == (
        "not every token that both have is the same bytes"
    )


@pytest.mark.parametrize("content", ["é", "<|end|>"])
def test_a_special_token_is_its_content_for_both(content: str) -> None:
    """Tokenizers reads a special token in the alphabet of its bytes, where it can."""
    token = AddedToken(256, content, special=True)
    one, other = (replace(spec(type), added_tokens=(token,)) for type in ("ByteLevel", "Bytes"))
    assert alike_on_tokens(one, other) == (257 if content.isascii() else 0)


def test_tokens_are_the_same_by_their_bytes_whatever_their_ids() -> None:
    swapped = {**PIECES, 97: PIECES[98], 98: PIECES[97]}
    assert alike_on_tokens(spec("ByteLevel"), replace(spec("Bytes"), pieces=swapped)) == 256


def test_an_added_token_that_a_normalizer_rewrites_is_not_proved() -> None:
    lower = Component({"type": "Lowercase"}, Standing.STATED).at("normalizer")
    token = AddedToken(256, "<END>", normalized=True)
    one, other = (
        replace(spec(type), added_tokens=(token,), normalizer=lower)
        for type in ("ByteLevel", "Bytes")
    )
    assert alike_on_tokens(one, other) == 0


def test_two_ids_of_one_token_that_become_different_bytes_are_not_proved() -> None:
    token = AddedToken(300, "\u0120")  # "Ġ", a space in the alphabet; as a token of bytes, itself
    pieces = {**PIECES, 256: Piece(TokenType.ORDINARY, "\u0120".encode())}
    one, other = (
        replace(spec(type), pieces=pieces, added_tokens=(token,)) for type in ("ByteLevel", "Bytes")
    )
    assert alike_on_tokens(one, other) == 0
