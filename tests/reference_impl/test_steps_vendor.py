"""Each normalizer and each pre-tokenizer by itself gives what that of tokenizers gives."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokaudit_reference.alignment import AlignedText
from tokaudit_reference.normalizers import normalizer
from tokaudit_reference.pre_tokenizers import pre_tokenizer
from tokaudit_reference.spec import Component

LAW = settings(deadline=None, derandomize=True, database=None, max_examples=150)
SAMPLES = [
    *"aAbZé ß\u0130\u0131\u01c5\ufb01\u212b\u00a0\u3000\u2003\t\n\r\x0b\x1c\x85\u2028\u200b\ufeff\0",
    *"0179\u0663\u00bd\u2167.,!?'\"-_()[]{}<>#@$%^&*+=|~`/\\:;\u2019\u00ab\u3002\uff0c\u0964",
    *"\u0301\u0323\u0308\u064b\u093c\u0e33\u1100\u1161\uac00\u4e2d\u6587\u30bf\u3099ー\u0410\u05d0",
    *"\U0001f600\U0001d400\U00020000\U0001f1e9\u200d\ufe0f\u2581\u0120_",
    *(
        "  ",
        "   ",
        "don't",
        *"\u0903\u093e\u0488\u09be",  # marks that take up space, or enclose
        "'ll",
        "We'RE",
        "word",
        "Hello",
        "123",
        "\r\n",
        "e\u0301",
        "日本語",
        "x2",
    ),
]
TEXTS = st.lists(
    st.sampled_from(SAMPLES) | st.characters(exclude_categories=["Cs", "Cn", "Co"]), max_size=10
).map("".join)
BEHAVIOURS = ["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"]
NORMALIZERS: list[dict[str, Any]] = [
    *(
        {"type": form}
        for form in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt")
    ),
    *(
        {"type": "Strip", "strip_left": left, "strip_right": right}
        for left, right in [(True, True), (True, False), (False, True)]
    ),
    {"type": "Prepend", "prepend": "\u2581"},
    {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"},
    {"type": "Replace", "pattern": {"String": "aa"}, "content": ""},
    {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
    {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": "xy"},
    {"type": "Replace", "pattern": {"Regex": "[a-z]*"}, "content": "-"},
    *(
        {
            "type": "BertNormalizer",
            "clean_text": clean,
            "handle_chinese_chars": chinese,
            "strip_accents": accents,
            "lowercase": lower,
        }
        for clean, chinese, accents, lower in [
            (True, True, None, True),
            (True, False, True, False),
            (False, True, False, True),
            (True, True, None, False),
        ]
    ),
    {
        "type": "Sequence",
        "normalizers": [{"type": "NFKD"}, {"type": "StripAccents"}, {"type": "Lowercase"}],
    },
    {
        "type": "Sequence",
        "normalizers": [
            {"type": "Prepend", "prepend": "\u2581"},
            {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"},
            {"type": "NFC"},
        ],
    },
]
SPLITS = [
    {"String": " "},
    {"String": "aa"},
    {"Regex": r"\s+"},
    {"Regex": r"\p{N}{1,3}"},
    {"Regex": r"\w+|[^\w\s]+"},
    {"Regex": r"(?i:'s|'ll)|\p{L}+|\s+(?!\S)|\s+"},
    {"Regex": "a*"},
]
PRE_TOKENIZERS: list[dict[str, Any]] = [
    *(
        {"type": "Split", "pattern": pattern, "behavior": behaviour, "invert": invert}
        for pattern in SPLITS
        for behaviour in BEHAVIOURS
        for invert in (False, True)
    ),
    *(
        {"type": "ByteLevel", "add_prefix_space": p, "trim_offsets": True, "use_regex": r}
        for p in (False, True)
        for r in (False, True)
    ),
    *(
        {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": s, "split": c}
        for s in ("always", "first", "never")
        for c in (False, True)
    ),
    *({"type": kind} for kind in ("Whitespace", "WhitespaceSplit", "BertPreTokenizer")),
    {"type": "UnicodeScripts"},
    *({"type": "Punctuation", "behavior": behaviour} for behaviour in BEHAVIOURS),
    *({"type": "Digits", "individual_digits": each} for each in (False, True)),
    {"type": "CharDelimiterSplit", "delimiter": "a"},
    {"type": "FixedLength", "length": 3},
    {
        "type": "Sequence",
        "pretokenizers": [
            {"type": "WhitespaceSplit"},
            {"type": "Digits", "individual_digits": True},
        ],
    },
    {
        "type": "Sequence",
        "pretokenizers": [
            {"type": "Digits", "individual_digits": False},
            {
                "type": "ByteLevel",
                "add_prefix_space": False,
                "trim_offsets": True,
                "use_regex": True,
            },
        ],
    },
]


def name_of(options: dict[str, Any]) -> str:
    return "-".join(str(value) for value in options.values())[:80]


def with_stage(stage: str, options: dict[str, Any]) -> Any:
    from tokenizers import Tokenizer

    every = {
        "type": "Split",
        "pattern": {"Regex": r"[\s\S]"},
        "behavior": "Isolated",
        "invert": False,
    }
    content = {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": every,
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": {"?": 0}, "unk_token": "?"},
        stage: options,
    }
    return Tokenizer.from_str(json.dumps(content))


def agreed(text: str) -> bool:
    """Whether this Python's tables and the library's are of one mind about the characters."""
    return all(unicodedata.category(character) != "Cn" for character in text)


@pytest.mark.parametrize("options", NORMALIZERS, ids=name_of)
def test_a_normalizer_gives_the_vendor_s_text_and_places(options: dict[str, Any]) -> None:
    vendor, ours = with_stage("normalizer", options), normalizer(Component(options))

    @LAW
    @given(TEXTS)
    def law(text: str) -> None:
        expected = vendor.normalizer.normalize_str(text)
        assert ours(text) == expected
        aligned = ours.aligned(AlignedText.of(text))
        assert aligned.text == expected
        places = [aligned.interval(at, at + 1) for at in range(len(expected))]
        assert places == vendor.encode(text, add_special_tokens=False).offsets

    law()


@pytest.mark.parametrize("options", PRE_TOKENIZERS, ids=name_of)
def test_a_pre_tokenizer_gives_the_vendor_s_pieces_and_places(options: dict[str, Any]) -> None:
    vendor, ours = with_stage("pre_tokenizer", options), pre_tokenizer(Component(options))

    @LAW
    @given(TEXTS)
    def law(text: str) -> None:
        expected = vendor.pre_tokenizer.pre_tokenize_str(text)
        assert ours(text, True) == [piece for piece, _ in expected]
        aligned = ours.aligned(AlignedText.of(text))
        assert [(p.text, p.interval(0, len(p.text))) for p in aligned] == expected

    law()
