"""What a worker unpacks is the spec that the audit has parsed, whatever its file wrote."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tokaudit.runtimes.packed_spec import packed, unpacked
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_reference.spec import (
    AddedToken,
    Component,
    ModelType,
    Piece,
    Priority,
    Standing,
    TokenizerSpec,
    TokenType,
)

PUBLISHED = ("bert-base-uncased", "clip-base", "gpt2", "t5-small", "gguf-phi-3", "cl100k_base")
ODD = TokenizerSpec(
    ModelType.UNIGRAM,
    {
        3: Piece(TokenType.BYTE, b"\xff"),
        1: Piece(TokenType.ORDINARY, "\ud800\udc00"),
        2**70: Piece(TokenType.CONTROL, "<s>"),
    },
    priority=Priority.PRODUCT,
    product_ranks={3: math.inf},
    merges=((b"a", "b"),),
    added_tokens=(AddedToken(2**70, "<s>", special=True, lstrip=True),),
    normalizer=Component({"type": "Sequence", "normalizers": [{"type": "?", "n": 10**30}]}),
    pre_tokenizer=Component(None, Standing.IMPLIED, "a rule"),
)


def test_bytes_next_to_text_surrogates_and_large_numbers_survive() -> None:
    assert unpacked(packed(ODD)) == ODD


def test_a_part_that_is_no_piece_survives_and_parts_are_the_pieces_themselves() -> None:
    pieces = {at: Piece(TokenType.ORDINARY, text) for at, text in enumerate(("acorn", "oak"))}
    spec = TokenizerSpec(ModelType.BPE, pieces, merges=(("acorn", "oak"), ("elm", "acorn")))
    found = unpacked(packed(spec))
    assert found == spec
    assert found.merges is not None
    assert found.merges[0][0] is found.pieces[0].value is found.merges[1][1]


def test_merges_take_four_bytes_for_each_part() -> None:
    pieces = {at: Piece(TokenType.ORDINARY, "acorn" * (at + 1)) for at in range(2)}
    long, longer = (
        TokenizerSpec(ModelType.BPE, pieces, merges=(("acorn", "acorn"),) * count)
        for count in (1, 1001)
    )
    assert len(packed(longer)) - len(packed(long)) == 1000 * 2 * 4


def test_ranks_of_other_ids_than_the_pieces_survive() -> None:
    pieces = {0: Piece(TokenType.ORDINARY, "a"), 1: Piece(TokenType.ORDINARY, "b")}
    for ranks in ({0: 1, 1: 2.5}, {1: 2.5, 0: 1}, {7: 0.0}, {}):
        spec = TokenizerSpec(
            ModelType.BPE, pieces, priority=Priority.PRODUCT, product_ranks=ranks, scores=ranks
        )
        assert unpacked(packed(spec)) == spec


def test_not_a_number_stays_one() -> None:
    spec = TokenizerSpec(ModelType.UNIGRAM, {}, scores={0: math.nan})
    assert math.isnan(unpacked(packed(spec)).scores[0])


def test_the_order_of_entries_survives() -> None:
    assert list(unpacked(packed(ODD)).pieces) == [3, 1, 2**70]


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_representation_of_a_published_tokenizer_survives(material: Path, name: str) -> None:
    found = [spec for _, spec in parse_all(open_subject(material / "tokenizers" / name)).parsed]
    assert found
    assert [unpacked(packed(spec)) for spec in found] == found
