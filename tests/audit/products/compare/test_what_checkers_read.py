"""What the checkers read and run by themselves is what the reference reads and runs."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tokaudit.products.compare.proofs.defaults import DEFAULTS
from tokaudit.products.compare.proofs.merges.merging import merged
from tokaudit.products.compare.proofs.scalars.characters import by_character
from tokaudit.products.compare.proofs.steps_of_files import steps_of
from tokaudit.products.compare.proofs.surface import surface
from tokaudit_reference.models.bpe.merge import merge_textbook
from tokaudit_reference.spec import Component, ModelType, Piece, TokenizerSpec, TokenType
from tokaudit_reference.steps.normalizers import normalizer
from tokaudit_reference.steps.registered import PACKAGES, step_types
from tokaudit_reference.steps.step import Unread

LITERAL, EXPRESSION = {"String": "a"}, {"Regex": "a"}
NAMED = {"cls": ["<s>", 0], "sep": ["</s>", 2]}
USUAL: dict[str, Any] = {
    "single": [{"Sequence": {"id": "A"}}, {"SpecialToken": {"id": "<s>", "type_id": 1}}],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
    "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"], "more": 1}},
}
WRITTEN: dict[str, list[dict[str, Any]]] = {
    "normalizer": [
        {"type": "BertNormalizer", "lowercase": 0, "clean_text": None},
        {"type": "LlamaCppUnigram", "user_defined_symbols": None, "precompiled_charsmap": None},
        {"type": "Lowercase", "unknown": True},
        {"type": "Prepend", "prepend": 5},
        {"type": "Replace", "pattern": LITERAL, "content": "b"},
        {"type": "Replace", "pattern": EXPRESSION},
        {"type": "Replace", "pattern": "a", "content": "b"},
        {"type": "SentencePiece", "user_defined_symbols": ["a"], "escape_whitespaces": False},
        {"type": "Strip", "strip_left": False},
        {
            "type": "Sequence",
            "normalizers": [
                {"type": "NFC"},
                {"type": "Sequence", "normalizers": [{"type": "Nmt"}]},
            ],
        },
        {"type": "Sequence", "normalizers": None},
    ],
    "pre_tokenizer": [
        {"type": "CharDelimiterSplit", "delimiter": "-"},
        {"type": "FixedLength", "length": 2},
        {"type": "LlamaCppSplit", "patterns": ["a"], "meant": ["b"]},
        {"type": "Metaspace", "add_prefix_space": False},
        {"type": "Metaspace", "prepend_scheme": "first", "add_prefix_space": False},
        {"type": "Punctuation", "behavior": "Removed"},
        {"type": "Split", "pattern": LITERAL, "behavior": "Removed", "invert": True},
        {"type": "Split", "pattern": EXPRESSION, "rust": True, "python": False},
    ],
    "post_processor": [
        {"type": "BertProcessing", **NAMED},
        {"type": "RobertaProcessing", **NAMED},
        {"type": "BertProcessing", **NAMED, "trim_offsets": False, "add_prefix_space": True},
        {**NAMED, "trim_offsets": False, "add_prefix_space": True},
        NAMED,
        {"type": "TemplateProcessing", **USUAL},
        USUAL,
        {"type": "TemplateProcessing", "single": USUAL["single"]},
    ],
    "decoder": [
        {"type": "ByteLevel", "use_regex": False},
        {"type": "CTC", "cleanup": False},
        {"type": "Metaspace", "add_prefix_space": False, "split": 0},
        {"type": "Replace", "pattern": LITERAL, "content": "b"},
        {"type": "Replace", "pattern": {"String": ""}, "content": "b"},
        {"type": "Replace", "pattern": EXPRESSION, "content": "b"},
        {"type": "SentencePiece", "denormalizer": {"add_dummy_prefix": False}},
        {"type": "Strip", "content": "_", "start": 1},
    ],
}
NO_STEP: list[tuple[str, Any]] = [
    ("normalizer", {"type": "Sprinkle", "pattern": "a"}),
    ("normalizer", {"type": ["NFC"]}),
    ("normalizer", "NFC"),
    ("post_processor", {"type": "BertProcessing"}),
    ("post_processor", {"type": "TemplateProcessing", "single": [{"A": 1}]}),
    ("post_processor", {"type": "Nothing", **NAMED}),
    ("decoder", {"single": 1}),
]

SCALARS = [
    *map(chr, (*range(0xD800), *range(0xE000, 0xE010), *range(0xF8F0, 0x11000))),
    *map(
        chr,
        (
            *range(0x11000, 0x1F000, 7),
            *range(0x1F000, 0xE0000, 211),
            *range(0xE0000, 0xE0200),
            0xFFFFD,
            0x10FFFF,
        ),
    ),
    *map(chr, (0x20000, 0x2A6DF, 0x2A6E0, 0x2B81F, 0x2B820, 0x2CEAF, 0x2CEB0, 0x2F800, 0x2FA1F)),
]
"""Every character where tables say much, and of the rest some."""


def spec(stage: str, options: Any) -> TokenizerSpec:
    return TokenizerSpec(ModelType.BPE, {}, **{stage: Component(options)})


def read_by_both(stage: str, options: Any) -> tuple[list[Any], list[Any]]:
    found = spec(stage, options)
    asked = [step.to_json() for step in getattr(found, stage).steps]
    return json.loads(json.dumps([steps_of(found, stage), asked]))


def test_the_checkers_know_every_step_of_the_reference_and_no_other() -> None:
    assert {stage: {*known} for stage, known in DEFAULTS.items()} == {
        stage: {*step_types(stage)} for stage in PACKAGES
    }


@pytest.mark.parametrize("stage", PACKAGES)
def test_each_step_is_read_with_the_defaults_that_the_reference_has(stage: str) -> None:
    for kind in step_types(stage):
        own, asked = read_by_both(stage, {"type": kind})
        unread = isinstance(getattr(spec(stage, {"type": kind}), stage).steps[0], Unread)
        assert own == asked or (unread and own == [{"type": "", "unread": {"type": kind}}]), kind


@pytest.mark.parametrize("stage", PACKAGES)
def test_each_way_of_writing_a_step_is_read_as_the_reference_reads_it(stage: str) -> None:
    for options in WRITTEN[stage]:
        own, asked = read_by_both(stage, options)
        assert own == asked, options


def test_what_no_library_takes_is_a_step_of_no_type() -> None:
    for stage, options in NO_STEP:
        assert steps_of(spec(stage, options), stage) == [{"type": "", "unread": options}]


@pytest.mark.published
def test_published_files_are_read_alike(material: Path) -> None:
    files = sorted((material / "tokenizers").glob("*/tokenizer.json"))
    assert files
    for file in files:
        stated = json.loads(file.read_text(encoding="utf-8"))
        for stage in PACKAGES:
            own, asked = read_by_both(stage, stated[stage])
            assert own == asked, file


@pytest.mark.parametrize(
    "step",
    [
        {"type": "Lowercase"},
        {"type": "StripAccents"},
        {"type": "Nmt"},
        {"type": "ByteLevel"},
        {"type": "Replace", "pattern": LITERAL, "content": "xy"},
        {"type": "BertNormalizer", "strip_accents": False},
        {"type": "BertNormalizer", "lowercase": False, "handle_chinese_chars": False},
    ],
    ids=str,
)
def test_each_character_becomes_what_the_reference_makes_of_it(step: dict[str, Any]) -> None:
    own = by_character(steps_of(spec("normalizer", step), "normalizer")[0])
    asked = normalizer(Component(step))
    assert own is not None
    assert {each for each in SCALARS if own(each) != asked(each)} == set()


def test_symbols_are_merged_as_the_textbook_merges_them() -> None:
    draw = Random(7)
    for _ in range(5_000):
        table = {
            (draw.randrange(5), draw.randrange(5)): (draw.randrange(6), draw.randrange(5))
            for _ in range(draw.randrange(12))
        }
        symbols = [draw.randrange(5) for _ in range(draw.randrange(12))]
        assert merged(symbols, table) == merge_textbook(symbols, table), (symbols, table)


def test_an_entry_is_written_as_the_reference_writes_it() -> None:
    marked = TokenizerSpec(
        ModelType.BPE, {}, continuing_subword_prefix="##", end_of_word_suffix="</w>"
    )
    for kind in TokenType:
        for value in ("a", b"\xc3"):
            piece = Piece(kind, value)
            assert surface(marked, piece) == marked.surface(piece)
