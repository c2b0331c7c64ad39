"""Segmentations with noise: BPE dropout, and Unigram's n best and samples."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit_reference.models.unigram.sampling import n_best, sample
from tokaudit_reference.models.unigram.viterbi import Segment, Unigram
from tokaudit_reference.spec import Component, ModelType, Piece, Standing, TokenizerSpec, TokenType
from tokaudit_reference.tokenizer import ReferenceTokenizer

LAW = settings(deadline=None, derandomize=True, database=None, max_examples=some(100))
PIECES = Unigram({"a": -1.0, "b": -1.2, "ab": -1.5, "ba": -2.0, "aba": -2.1, "bb": -3.0})
NONE = Component(None, Standing.STATED)


def every_way(text: str, start: int = 0) -> Iterator[list[Segment]]:
    """All segmentations into pieces, by brute force."""
    if start == len(text):
        yield []
    for end in range(start + 1, len(text) + 1):
        if text[start:end] in PIECES.scores:
            for rest in every_way(text, end):
                yield [(start, end), *rest]


def score(text: str, way: list[Segment]) -> float:
    return sum(PIECES.scores[text[start:end]] for start, end in way)


@LAW
@given(st.text("ab", max_size=7), st.integers(1, 6))
def test_the_n_best_are_the_best_of_all(text: str, n: int) -> None:
    every = sorted((score(text, way) for way in every_way(text)), reverse=True)
    found = n_best(PIECES, text, n)
    assert [total for total, _ in found] == pytest.approx(every[:n])
    assert all(score(text, way) == pytest.approx(total) for total, way in found)


@LAW
@given(st.text("abx", min_size=1, max_size=9))
def test_the_best_is_what_the_encoder_takes(text: str) -> None:
    [(total, _)] = n_best(PIECES, text, 1)
    way = PIECES.segments(text)
    ours = sum(PIECES.scores.get(text[a:b], PIECES.unknown_score) for a, b in way)
    assert total == pytest.approx(ours)


@pytest.mark.parametrize("theta", [0.0, 0.5, 1.0])
def test_samples_come_as_often_as_their_scores_say(theta: float) -> None:
    text, random, draws = "abab", Random(7), 4000
    weights = {tuple(way): math.exp(theta * score(text, way)) for way in every_way(text)}
    seen = Counter(tuple(sample(PIECES, text, theta, random)) for _ in range(draws))
    for way, weight in weights.items():
        assert seen[way] / draws == pytest.approx(weight / sum(weights.values()), abs=0.03)


def test_samples_depend_on_the_seed_alone() -> None:
    drawn = [[sample(PIECES, "abbaab", 0.3, Random(seed)) for _ in range(3)] for seed in (1, 1)]
    assert drawn[0] == drawn[1]


def spec(dropout: float | None) -> TokenizerSpec:
    pieces = ["a", "b", "ab", "abab"]
    return TokenizerSpec(
        ModelType.BPE,
        {id: Piece(TokenType.ORDINARY, piece) for id, piece in enumerate(pieces)},
        merges=(("a", "b"), ("ab", "ab")),
        dropout=dropout,
        normalizer=NONE,
        pre_tokenizer=NONE,
    )


def test_dropout_gives_a_text_several_encodings_and_the_seed_repeats_them() -> None:
    runs = []
    for _ in range(2):
        tokenizer = ReferenceTokenizer(spec(0.5), random=Random(3))
        runs.append([tuple(tokenizer.encode("abab").ids) for _ in range(40)])
    assert runs[0] == runs[1]
    assert {(3,), (2, 2), (0, 1, 0, 1)} <= set(runs[0])


def test_dropout_of_one_leaves_the_characters_and_of_none_merges_all() -> None:
    assert ReferenceTokenizer(spec(1.0), random=Random(0)).encode("abab").ids == [0, 1, 0, 1]
    assert ReferenceTokenizer(spec(None)).encode("abab").ids == [3]


def test_dropout_happens_as_often_as_in_tokenizers() -> None:
    from tokenizers import Tokenizer, models

    vocab = {"a": 0, "b": 1, "ab": 2, "abab": 3}
    upstream = Tokenizer(models.BPE(vocab, [("a", "b"), ("ab", "ab")], dropout=0.3))
    ours = ReferenceTokenizer(spec(0.3), random=Random(5))
    draws = 6000
    theirs = Counter(tuple(upstream.encode("abab").ids) for _ in range(draws))
    found = Counter(tuple(ours.encode("abab").ids) for _ in range(draws))
    for ids in theirs:
        assert found[ids] / draws == pytest.approx(theirs[ids] / draws, abs=0.04)
