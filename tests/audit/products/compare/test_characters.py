"""Normalizers that take each character by itself are proved equal on all characters."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import Trial
from tokaudit.products.compare.facets.stages import normalizer
from tokaudit.products.compare.proofs.scalars.prove import alike_on_characters
from tokaudit.products.compare.recheck.proofs import objection
from tokaudit.report.comparison import Comparison, Facet, Outcome, Proof, Relation
from tokaudit_reference.spec import Component, ModelType, Standing, TokenizerSpec
from tokaudit_reference.steps.normalizers import normalizer as built

BERT = {"type": "BertNormalizer", "clean_text": False, "handle_chinese_chars": False}
LOWER_BERT = {**BERT, "strip_accents": False, "lowercase": True}
LOWERCASE, NFKC = {"type": "Lowercase"}, {"type": "NFKC"}


def spec(*steps: dict[str, Any]) -> TokenizerSpec:
    options = {"type": "Sequence", "normalizers": [*steps]}
    stated = Component(options, Standing.STATED).at("normalizer")
    return TokenizerSpec(ModelType.BPE, {}, normalizer=stated)


def one_by_another(old: str, new: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": {"String": old}, "content": new}


def facet(one: TokenizerSpec, other: TokenizerSpec) -> tuple[Side, Side, Facet]:
    left, right = Side("left", one), Side("right", other)
    found = normalizer(left, right, Trial(left, right, []))
    assert isinstance(found, Facet)
    return left, right, found


def test_one_step_written_as_another_is_proved_and_can_be_checked_again() -> None:
    left, right, found = facet(spec(NFKC, LOWERCASE), spec(NFKC, LOWER_BERT))
    assert found.outcome is Outcome.EQUIVALENT
    assert found.certificate is not None and found.certificate.proof is Proof.SCALARS
    stored = Comparison("left", "right", 0, 0, Relation.SAME)
    assert objection(left, right, found, stored) == ""
    other = replace(right, spec=spec(NFKC))
    assert objection(left, other, found, stored) == (
        "not every character by itself is normalized alike"
    )


@pytest.mark.parametrize(
    ("ours", "theirs", "alike"),
    [
        ([one_by_another("a", "c"), one_by_another("c", "b")], ["c", "a"], True),
        ([one_by_another("c", "b"), one_by_another("a", "c")], ["c", "a"], False),
    ],
    ids=["one order", "another order that leaves c"],
)
def test_replacements_are_compared_by_what_they_do(
    ours: list[dict[str, Any]], theirs: list[str], alike: bool
) -> None:
    others = [one_by_another(old, "b") for old in theirs]
    assert alike_on_characters(spec(*ours), spec(*others)) is alike


def test_a_difference_that_a_shared_step_at_the_end_undoes_is_none() -> None:
    last = one_by_another("b", "c")
    assert alike_on_characters(
        spec(one_by_another("a", "b"), last), spec(one_by_another("a", "c"), last)
    )


def test_a_difference_of_one_character_among_all_is_none_that_is_proved_away() -> None:
    extra = one_by_another("\U0010fffd", "b")
    assert not alike_on_characters(spec(LOWERCASE), spec(LOWERCASE, extra))


def test_steps_that_look_next_to_a_character_are_not_decided_by_characters() -> None:
    """Each character is in both forms alike; a letter and its mark are not."""
    assert not alike_on_characters(spec(one_by_another("ab", "a")), spec())
    assert not alike_on_characters(spec({"type": "NFC"}), spec({"type": "NFD"}))


@pytest.mark.parametrize(
    "step",
    [
        LOWERCASE,
        LOWER_BERT,
        {**BERT, "clean_text": True, "handle_chinese_chars": True, "lowercase": False},
        {"type": "Nmt"},
        {"type": "StripAccents"},
        {"type": "ByteLevel"},
        one_by_another("a", "bab"),
    ],
    ids=str,
)
@given(text=st.text())
def test_steps_that_say_so_take_each_character_by_itself(step: dict[str, Any], text: str) -> None:
    component = Component(step, Standing.STATED)
    assert component.at("normalizer").steps[0].effects.character_wise
    normalize = built(component)
    assert normalize(text) == "".join(map(normalize, text))
