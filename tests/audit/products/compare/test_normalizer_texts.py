"""What a normalizer looks for is run first, so that a rare pattern is found at once."""

from __future__ import annotations

from typing import Any

import pytest

from tokaudit.engine.texts.suspects import several_in_one
from tokaudit.products.compare.texts.normalizer_texts import texts_for_normalizers
from tokaudit_reference.spec import Component, ModelType, Standing, TokenizerSpec

LOWERCASE, NFC = {"type": "Lowercase"}, {"type": "NFC"}


def spec(*steps: dict[str, Any]) -> TokenizerSpec:
    options = {"type": "Sequence", "normalizers": [*steps]}
    stated = Component(options, Standing.STATED).at("normalizer")
    return TokenizerSpec(ModelType.BPE, {}, normalizer=stated)


def replaced(pattern: dict[str, str]) -> dict[str, Any]:
    return {"type": "Replace", "pattern": pattern, "content": "o"}


@pytest.mark.parametrize(
    ("one", "other", "text"),
    [
        ([], [replaced({"String": "qzq"})], "qzq"),
        ([], [replaced({"Regex": "x{7}"})], "xxxxxxx"),
        ([replaced({"Regex": "x{6}"})], [replaced({"Regex": "x{7}"})], "xxxxxx"),
        ([replaced({"Regex": " {2,}"})], [replaced({"Regex": " +"})], " "),
        ([NFC, LOWERCASE], [LOWERCASE, NFC], "J\u030c"),  # only the small letter is composed
    ],
)
def test_a_text_on_which_the_steps_act_is_written_out(
    one: list[dict[str, Any]], other: list[dict[str, Any]], text: str
) -> None:
    assert text in texts_for_normalizers(spec(*one), spec(*other))


def test_a_step_that_both_have_at_the_end_is_not_looked_at() -> None:
    shared = replaced({"String": "qzq"})
    assert texts_for_normalizers(spec(shared), spec(LOWERCASE, shared)) == ()


@pytest.mark.parametrize(
    ("step", "tried"), [({"type": "NFD"}, True), ({"type": "Lowercase"}, False)]
)
def test_characters_that_become_several_are_tried_where_a_step_takes_them_apart(
    step: dict[str, Any], tried: bool
) -> None:
    found = several_in_one(spec(), spec(step))
    assert ("\u09cb" in found) is tried
