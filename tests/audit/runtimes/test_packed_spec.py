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
