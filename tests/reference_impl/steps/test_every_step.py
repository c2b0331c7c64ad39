"""What holds of every step: it parses and writes itself, and what it declares is true."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import FrozenInstanceError, is_dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit_reference.spec import Component, SpecError, Unsupported
from tokaudit_reference.steps.normalizers import normalizer
from tokaudit_reference.steps.pre_tokenizers import pre_tokenizer
from tokaudit_reference.steps.registered import PACKAGES, read, step_types
from tokaudit_reference.steps.step import Effects, Step
from tokaudit_reference.text.bytes_alphabet import BYTE_OF, in_alphabet

LAW = settings(deadline=None, derandomize=True, database=None, max_examples=some(25))
STEPS = [(stage, step) for stage in PACKAGES for step in step_types(stage).values()]
NAMES = [f"{stage}/{step.type}" for stage, step in STEPS]
OURS = {
    *("Bytes", "SentencePiece", "no decoder"),
    *("LlamaCpp", "LlamaCppSplit", "LlamaCppUnigram", "LlamaCppWords"),
}  # which tokenizers does not have
# What its constructors must be given, and what that is in JSON.
GIVEN: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "normalizer/Precompiled": ((b"\0\0\0\0",), {"precompiled_charsmap": "AAAAAA=="}),
    "normalizer/Replace": (("a", "b"), {"pattern": {"String": "a"}, "content": "b"}),
    "pre_tokenizer/CharDelimiterSplit": (("-",), {"delimiter": "-"}),
    "pre_tokenizer/Split": (
        ("a", "removed"),
        {"pattern": {"String": "a"}, "behavior": "Removed", "invert": False},
    ),
    "post_processor/BertProcessing": (
        (("s", 2), ("c", 1)),
        {"sep": ["s", 2], "cls": ["c", 1]},
    ),
    "post_processor/RobertaProcessing": (
        (("s", 2), ("c", 1)),
        {"sep": ["s", 2], "cls": ["c", 1], "trim_offsets": True, "add_prefix_space": True},
    ),
    "post_processor/TemplateProcessing": (
        ("$A", "$A $B:1"),
        {
            "single": [{"Sequence": {"id": "A", "type_id": 0}}],
            "pair": [
                {"Sequence": {"id": "A", "type_id": 0}},
                {"Sequence": {"id": "B", "type_id": 1}},
            ],
            "special_tokens": {},
        },
    ),
    "decoder/Replace": (("a", "b"), {"pattern": {"String": "a"}, "content": "b"}),
    "decoder/Strip": ((), {"content": " ", "start": 0, "stop": 0}),
}
# Steps with options that change what they do; each step is among them at least once.
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "normalizer": [
        {"type": "BertNormalizer"},
        {"type": "BertNormalizer", "lowercase": False},
        {"type": "BertNormalizer", "lowercase": False, "strip_accents": True},
        {
            "type": "BertNormalizer",
            "clean_text": False,
            "handle_chinese_chars": False,
            "lowercase": False,
        },
        {"type": "ByteLevel"},
        {"type": "LlamaCppUnigram"},
        {"type": "LlamaCppUnigram", "add_space_prefix": True, "remove_extra_whitespaces": True},
        {"type": "LlamaCppUnigram", "user_defined_symbols": ["aA"]},
        {"type": "LlamaCppWords"},
        {"type": "LlamaCppWords", "lowercase": False, "strip_accents": False},
        {"type": "Lowercase"},
        {"type": "NFC"},
        {"type": "NFD"},
        {"type": "NFKC"},
        {"type": "NFKD"},
        {"type": "Nmt"},
        {"type": "Precompiled", "precompiled_charsmap": ""},
        {"type": "Prepend", "prepend": "▁"},
        {"type": "Prepend", "prepend": "Ġ"},
        {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
        {"type": "Replace", "pattern": {"String": "a"}, "content": "Ġ"},
        {"type": "Replace", "pattern": {"Regex": "[ab]"}, "content": ""},
        {"type": "SentencePiece", "remove_extra_whitespaces": False},
        {"type": "SentencePiece"},
        {"type": "Strip"},
        {"type": "Strip", "strip_left": False, "strip_right": False},
        {"type": "StripAccents"},
    ],
    "pre_tokenizer": [
        {"type": "BertPreTokenizer"},
        {"type": "ByteLevel"},
        {"type": "ByteLevel", "trim_offsets": False, "add_prefix_space": False},
        {"type": "ByteLevel", "use_regex": False, "add_prefix_space": False},
        {"type": "CharDelimiterSplit", "delimiter": " "},
        {"type": "Digits"},
        {"type": "Digits", "individual_digits": True},
        {"type": "FixedLength", "length": 2},
        {"type": "LlamaCppSplit", "patterns": [r"\p{N}", r" ?\p{L}+|\s+(?!\S)"], "meant": ["x"]},
        {"type": "Metaspace"},
        {"type": "Metaspace", "prepend_scheme": "never", "split": False},
        {"type": "Metaspace", "add_prefix_space": False},
        {"type": "Punctuation"},
        {"type": "Punctuation", "behavior": "Removed"},
        {"type": "Split", "pattern": {"String": "a"}, "behavior": "MergedWithNext"},
        {"type": "Split", "pattern": {"String": "a"}, "behavior": "Removed"},
        {"type": "Split", "pattern": {"Regex": r"\s+|\S"}, "behavior": "Removed", "invert": True},
        {"type": "UnicodeScripts"},
        {"type": "Whitespace"},
        {"type": "WhitespaceSplit"},
    ],
}
CHARACTERS = [*" aAbéß東9.-\t\x01", "e\u0301", "\u3000"]
TEXTS = st.lists(st.sampled_from(CHARACTERS), max_size=8).map("".join)
SPELLED = st.lists(st.sampled_from(sorted(BYTE_OF)), max_size=8).map("".join)
# Of each pair, a step that loses text makes the same at least once.
PAIRS = [
    (" a", "a"),
    ("a ", "a"),
    ("a b", "ab"),
    ("a  b", "a b"),
    ("A", "a"),
    ("e\u0301", "e"),
    ("a.b", "ab"),
    ("a\x01", "a"),
    ("xax", "xx"),
    ("a", "Ġ"),
]


def variants(*stages: str) -> list[Any]:
    wanted = stages or tuple(VARIANTS)
    return [
        pytest.param(stage, read(stage, options), id=json.dumps(options))
        for stage in wanted
        for options in VARIANTS[stage]
    ]


def output(stage: str, step: Step) -> Callable[[str], list[str]]:
    """What becomes of a text."""
    component = Component(step.to_json())
    if stage == "normalizer":
        normalize = normalizer(component)
        return lambda text: [normalize(text)]
    split = pre_tokenizer(component)
    return lambda text: split(text, True)


@pytest.mark.parametrize(("stage", "step"), STEPS, ids=NAMES)
def test_a_step_is_a_frozen_dataclass_that_says_what_it_is(stage: str, step: type[Step]) -> None:
    assert is_dataclass(step)
    assert (step.__doc__ or "").endswith(".")
    assert isinstance(step().effects, Effects)
    with pytest.raises(FrozenInstanceError):
        step().loses = "all"  # type: ignore[attr-defined]


@pytest.mark.parametrize(("stage", "step"), STEPS, ids=NAMES)
def test_a_step_reads_what_it_writes(stage: str, step: type[Step]) -> None:
    assert step.from_json(step().to_json()) == step()
    assert json.loads(json.dumps(step().to_json())) == step().to_json()


@pytest.mark.parametrize(("stage", "step"), variants())
def test_a_step_with_other_options_reads_what_it_writes(stage: str, step: Step) -> None:
    assert read(stage, step.to_json()) == step


@pytest.mark.parametrize(("stage", "step"), STEPS, ids=NAMES)
def test_the_defaults_are_those_of_the_library(stage: str, step: type[Step]) -> None:
    if step.type in OURS:
        pytest.skip("tokenizers has no such step")
    tokenizers = pytest.importorskip("tokenizers")
    room = {"post_processor": "processors"}.get(stage, f"{stage}s")
    given, stated = GIVEN.get(f"{stage}/{step.type}", ((), {}))
    library = getattr(getattr(tokenizers, room), step.type)(*given)
    theirs = json.loads(library.__getstate__())
    assert step.from_json(stated).to_json() == theirs if stated else step().to_json() == theirs


def test_every_step_that_changes_text_has_variants() -> None:
    for stage, options in VARIANTS.items():
        assert {each["type"] for each in options} == set(step_types(stage))


@pytest.mark.parametrize(("stage", "step"), [v for v in variants() if v.values[1].effects.loses])
def test_a_step_that_declares_a_loss_makes_one_of_two_texts(stage: str, step: Step) -> None:
    run = output(stage, step)
    assert any("".join(run(one)) == "".join(run(other)) for one, other in PAIRS)


@pytest.mark.parametrize(
    ("stage", "step"), [v for v in variants() if not v.values[1].effects.loses]
)
@given(text=TEXTS, place=st.integers(0, 8), instead=st.sampled_from(["", *CHARACTERS]))
@LAW
def test_a_step_that_declares_no_loss_keeps_texts_apart(
    stage: str, step: Step, text: str, place: int, instead: str
) -> None:
    run, keeps = output(stage, step), step.effects.keeps
    one, other = "x" + text, "x" + text[:place] + instead + text[place + 1 :]
    if keeps(one) != keeps(other):
        assert "".join(run(one)) != "".join(run(other))


@pytest.mark.parametrize(("stage", "step"), variants())
@given(text=SPELLED)
@LAW
def test_a_step_that_stays_in_the_alphabet_of_bytes_writes_nothing_else(
    stage: str, step: Step, text: str
) -> None:
    if step.effects.stays_in_alphabet:
        assert all(map(in_alphabet, output(stage, step)(text)))


@pytest.mark.parametrize(("stage", "step"), variants())
@given(text=TEXTS)
@LAW
def test_a_step_acts_as_the_one_that_it_says(stage: str, step: Step, text: str) -> None:
    acts_as = step.acts_as()
    assert acts_as is not None or stage == "normalizer"
    expected = [text] if acts_as is None else output(stage, acts_as)(text)
    assert output(stage, step)(text) == expected


@pytest.mark.parametrize(("stage", "step"), variants("normalizer"))
@given(text=TEXTS)
@LAW
def test_a_normalizer_keeps_and_writes_what_it_says(stage: str, step: Step, text: str) -> None:
    (new,) = output(stage, step)(text)
    effects = step.effects
    if not effects.loses and effects.writes is None and not effects.mark:
        assert effects.writes_bytes or new == effects.keeps(text)
    if effects.writes is not None:
        assert set(new) <= {*text, *effects.writes}
    if effects.lower_cases:
        assert new == new.lower()


@pytest.mark.parametrize(("stage", "step"), variants("normalizer"))
def test_a_normalizer_decomposes_and_strips_as_it_says(stage: str, step: Step) -> None:
    run, effects = output(stage, step), step.effects
    if not effects.writes_bytes:
        assert ("é" not in run("é")[0]) == effects.decomposes
    assert ("\u0301" not in run("xe\u0301")[0]) == (
        effects.strips_marks or effects.writes_bytes or run("xe\u0301") == ["xé"]
    )


@pytest.mark.parametrize(("stage", "step"), variants("pre_tokenizer"))
def test_a_pre_tokenizer_that_cuts_words_cuts_them(stage: str, step: Step) -> None:
    run = output(stage, step)
    cut = any("a" in text and len(run(text)) > 1 for text in ("a b", "a.b", "bab"))
    assert cut or not step.effects.cuts_words


@pytest.mark.parametrize(
    ("stage", "options", "plain"),
    [
        (
            "pre_tokenizer",
            {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False},
            {"type": "ByteLevel", "add_prefix_space": False},
        ),
        ("decoder", {"type": "ByteLevel", "use_regex": False}, {"type": "ByteLevel"}),
        ("decoder", {"type": "Metaspace", "split": False}, {"type": "Metaspace"}),
        ("pre_tokenizer", {"type": "Metaspace", "add_prefix_space": True}, {"type": "Metaspace"}),
        ("post_processor", {"type": "ByteLevel", "use_regex": False}, {"type": "ByteLevel"}),
    ],
)
def test_options_that_change_nothing_make_no_other_step(
    stage: str, options: dict[str, Any], plain: dict[str, Any]
) -> None:
    assert read(stage, options).acts_as() == read(stage, plain).acts_as()


def test_what_moves_offsets_only_does_nothing_to_ids() -> None:
    around = {"cls": ["c", 1], "sep": ["s", 2], "add_prefix_space": True}
    trims, keeps = (read("post_processor", {**around, "trim_offsets": on}) for on in (True, False))
    assert read("post_processor", {"type": "ByteLevel"}).acts_as(ids_only=True) is None
    assert trims.acts_as() != keeps.acts_as()
    assert trims.acts_as(ids_only=True) == keeps.acts_as(ids_only=True)


def test_a_type_that_is_not_known_is_a_step_whose_effects_are_not_known() -> None:
    options = {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Sprinkle", "on": 1}]}
    known, unknown = Component(options).at("normalizer").steps
    assert (known.type, unknown.type) == ("NFC", "Sprinkle")
    assert unknown.to_json() == {"type": "Sprinkle", "on": 1}
    assert unknown.acts_as() == unknown
    assert "not known" in unknown.effects.loses
    with pytest.raises(Unsupported, match="'Sprinkle' is not covered"):
        normalizer(Component(options))


def test_a_value_that_cannot_be_is_refused_when_the_step_runs_and_not_before() -> None:
    component = Component({"type": "Punctuation", "behavior": "Sideways"}).at("pre_tokenizer")
    assert [step.type for step in component.steps] == ["Punctuation"]
    with pytest.raises(SpecError, match="the behaviour 'Sideways' is unknown") as reported:
        pre_tokenizer(component)
    assert reported.value.pointer == "/pre_tokenizer"
