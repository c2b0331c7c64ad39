"""A vocabulary that knows more than the model: what the model does not know is looked up whole."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tokaudit_reference.spec import (
    Component,
    ModelType,
    Piece,
    Priority,
    Standing,
    TokenizerSpec,
    TokenType,
)
from tokaudit_reference.tokenizer import ReferenceTokenizer

NONE = Component(None, Standing.STATED)
TYPES = {
    **dict.fromkeys(("a", "b", "ab"), TokenType.ORDINARY),
    "<unk>": TokenType.UNKNOWN,
    "X": TokenType.LOOKED_UP,
    "XY": TokenType.LOOKED_UP,
    "aX": TokenType.LOOKED_UP,
    "Z": TokenType.CONTROL,
}
IDS = {text: id for id, text in enumerate(TYPES)}


def tokenizer(kind: ModelType, unlisted: Mapping[str, float] | None = None) -> ReferenceTokenizer:
    scores = {IDS[text]: -float(len(text) == 1) for text in TYPES}
    spec = TokenizerSpec(
        kind,
        {id: Piece(TYPES[text], text) for text, id in IDS.items()},
        priority=Priority.PRODUCT,
        product_ranks={id: -score for id, score in scores.items()},
        scores=scores,
        unlisted=unlisted or {},
        unk_id=IDS["<unk>"],
        fuse_unk=True,
        normalizer=NONE,
        pre_tokenizer=NONE,
        control_from_text=False,
    )
    return ReferenceTokenizer(spec)


@pytest.mark.parametrize("kind", [ModelType.UNIGRAM, ModelType.BPE, ModelType.CHARACTER])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X", ["X"]),
        ("XY", ["XY"]),
        ("XX", ["<unk>"]),  # one run, which is not in the vocabulary
        ("XYZ", ["<unk>"]),
        ("aX", ["a", "X"]),  # the model knows a, so the entry of both is not made
        ("bXYb", ["b", "XY", "b"]),
    ],
)
def test_a_run_that_the_model_does_not_know_is_looked_up(
    kind: ModelType, text: str, expected: list[str]
) -> None:
    assert tokenizer(kind).encode(text).ids == [IDS[each] for each in expected]


@pytest.mark.parametrize("kind", [ModelType.UNIGRAM, ModelType.BPE])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cd", ["<unk>"]),  # a piece without an id
        ("cda", ["<unk>", "a"]),
        ("cdcd", ["<unk>", "<unk>"]),  # one for each, as the class looks up each
        ("cdZZ", ["<unk>", "<unk>"]),
        ("cdXY", ["<unk>", "XY"]),
        ("ZZ", ["<unk>"]),
    ],
)
def test_a_piece_that_the_vocabulary_has_no_id_for_is_unknown_by_itself(
    kind: ModelType, text: str, expected: list[str]
) -> None:
    found = tokenizer(kind, {"c": -1.0, "d": -1.0, "cd": 0.0}).encode(text).ids
    assert found == [IDS[each] for each in expected]


def test_a_special_token_is_not_looked_up() -> None:
    assert tokenizer(ModelType.UNIGRAM).encode("Z").ids == [IDS["<unk>"]]


def test_the_place_of_a_run_is_all_of_it() -> None:
    found = tokenizer(ModelType.UNIGRAM).encode("aXY", offsets=True)
    assert found.offsets == [(0, 1), (1, 3)]


def test_what_is_looked_up_lies_after_what_the_model_merges() -> None:
    assert tokenizer(ModelType.BPE).model.spans("abXY") == [(IDS["ab"], 0, 2), (IDS["XY"], 2, 4)]
