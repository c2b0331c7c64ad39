"""Unigram models are proved equal by equal scores, or within stated limits by one factor."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from tokaudit.products.compare.proofs.scores.prove import (
    EXACT,
    KNOWN,
    EqualScores,
    ScoresNotProved,
    compare_scores,
)
from tokaudit_reference.models import model
from tokaudit_reference.spec import ModelType, Piece, TokenizerSpec, TokenType

PIECES = ("a", "b", "ab", "ba", "aab")


def spec(*scores: float, pieces: tuple[str, ...] = PIECES) -> TokenizerSpec:
    entries = {id: Piece(TokenType.ORDINARY, piece) for id, piece in enumerate(pieces)}
    return TokenizerSpec(ModelType.UNIGRAM, entries, scores=dict(enumerate(scores)))


BASE = spec(-1.5, -2.25, -3.5, -3.0, -4.0)


def scaled(factor: float) -> TokenizerSpec:
    return replace(BASE, scores={id: score * factor for id, score in BASE.scores.items()})


def test_equal_scores_are_a_proof_without_limits() -> None:
    assert compare_scores(BASE, BASE) == EqualScores()


def test_a_power_of_two_is_a_proof_on_known_characters() -> None:
    assert compare_scores(BASE, scaled(4.0)) == EqualScores(4.0, (KNOWN,))


def test_any_other_factor_is_a_proof_as_far_as_sums_are_exact() -> None:
    assert compare_scores(BASE, scaled(3.0)) == EqualScores(3.0, (KNOWN, EXACT))


@pytest.mark.parametrize("factor", [0.0, -1.0, float("inf"), float("nan")])
def test_a_factor_that_is_not_positive_and_finite_proves_nothing(factor: float) -> None:
    assert isinstance(compare_scores(BASE, scaled(factor)), ScoresNotProved)


def test_a_score_that_differs_is_named_by_its_piece() -> None:
    other = replace(BASE, scores={**BASE.scores, 3: -3.5})
    found = compare_scores(BASE, other)
    assert found == ScoresNotProved("the scores differ, and not by one factor", "ba")


def test_a_character_that_is_known_only_inside_a_piece_breaks_the_argument() -> None:
    pieces = ("a", "ax")
    found = compare_scores(spec(-1, -2, pieces=pieces), spec(-2, -4, pieces=pieces))
    assert found == ScoresNotProved("a piece holds a character that is not a piece", "ax")


def test_sentencepieces_rules_allow_equal_scores_only() -> None:
    own = replace(BASE, control_from_text=False)
    assert compare_scores(own, own) == EqualScores()
    doubled = replace(scaled(2.0), control_from_text=False)
    assert compare_scores(own, doubled) == ScoresNotProved("the scores differ", "a")


def test_other_rules_for_unknown_text_are_not_compared_by_scores() -> None:
    found = compare_scores(BASE, replace(BASE, control_from_text=False))
    assert found == ScoresNotProved("the models do not treat unknown text by the same rules")


def test_an_entry_that_is_there_twice_is_not_decided() -> None:
    twice = spec(-1, -2, -3, pieces=("a", "b", "a"))
    assert isinstance(compare_scores(twice, twice), ScoresNotProved)


@pytest.mark.parametrize("seed", range(5))
def test_scores_times_a_power_of_two_segment_every_text_alike(seed: int) -> None:
    random = Random(seed)
    scores = [random.uniform(-9, -1) for _ in PIECES]
    one = spec(*scores)
    other = spec(*(8 * score for score in scores))
    assert compare_scores(one, other) == EqualScores(8.0, (KNOWN,))
    encode, also = model(one).encode, model(other).encode
    for length in range(1, 9):
        for letters in product("ab", repeat=length):
            assert encode("".join(letters)) == also("".join(letters))
