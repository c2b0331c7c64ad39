"""Steps count as acting alike only where no text can tell them apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tokaudit.engine.canonical_steps import acting_steps
from tokaudit_reference.spec import Component, ModelType, Standing, TokenizerSpec

BYTES = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}
METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": False}


def replaced(old: str, new: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": {"String": old}, "content": new}


def split(literal: str) -> dict[str, Any]:
    return {"type": "Split", "pattern": {"String": literal}, "behavior": "Isolated"}


def spec(normalizer: dict[str, Any], *steps: dict[str, Any]) -> TokenizerSpec:
    sequence = {"type": "Sequence", "pretokenizers": [*steps]}
    return TokenizerSpec(
        ModelType.BPE,
        {},
        normalizer=Component(normalizer, Standing.STATED).at("normalizer"),
        pre_tokenizer=Component(sequence, Standing.STATED).at("pre_tokenizer"),
    )


@pytest.mark.parametrize(
    ("normalizer", "steps", "acting"),
    [
        (replaced(" ", "_"), [split(" ")], []),
        (replaced(" ", "_"), [split("a "), BYTES], ["ByteLevel"]),
        (replaced("ab", "a"), [split("ab")], ["Split"]),  # "ab" is made of "abb"
        (replaced("ab", ""), [split("ab")], ["Split"]),  # and of "aabb"
        (replaced("Ġ", "x"), [BYTES, split("Ġ")], ["ByteLevel", "Split"]),
        (replaced("▁", "x"), [METASPACE, split("▁")], ["Metaspace", "Split"]),
    ],
)
def test_a_split_is_idle_only_if_no_text_can_hold_what_it_looks_for(
    normalizer: dict[str, Any], steps: Sequence[dict[str, Any]], acting: list[str]
) -> None:
    found = acting_steps(spec(normalizer, *steps), "pre_tokenizer")
    assert [step.type for step in found] == acting


@pytest.mark.parametrize(
    ("step", "acts"),
    [
        ({"type": "Strip", "strip_left": False, "strip_right": False}, False),
        ({"type": "Strip", "strip_left": True, "strip_right": False}, True),
        ({"type": "Prepend", "prepend": ""}, True),  # the offset of the first character changes
        (replaced("a", "a"), False),
        (replaced("", ""), False),
        (replaced("", "a"), True),  # it is put at both ends and between all characters
        (replaced("a", "b"), True),
        (replaced("ab", "ab"), True),  # offsets change
    ],
)
def test_a_normalizer_that_does_nothing_is_left_out(step: dict[str, Any], acts: bool) -> None:
    assert bool(acting_steps(spec(step), "normalizer")) is acts
