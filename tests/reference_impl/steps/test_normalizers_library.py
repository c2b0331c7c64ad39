"""Any chain of normalizers gives the text and the places that Hugging Face's tokenizers gives."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any
from unicodedata import category

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from installed_library import OLDER
from law_examples import some

from tokaudit_reference.spec import Component
from tokaudit_reference.steps.normalizers import normalizer
from tokaudit_reference.text.alignment import AlignedText

LAW = settings(deadline=None, derandomize=True, database=None, max_examples=some(400))
SAMPLES = [
    *"abZ\u00c9\u00e9 \u00df\u0130\u0131\u01c5\u03a3\ufb01\ufdfa\u212b\u00a0\u3000\u2003\t\n\r\x0b\x1c\x85\u2028\u200b\ufeff\0\x7f\xad",
    *"019\u0663\u00bd\u2167.,!?'\"-_\uff01\u3002\uff0c\u0964",
    *"\u0301\u0323\u0308\u0327\u0488\u20dd\u064b\u093c\u093e\u0940\u0c4d\u0e33\u0f71\u0f73",
    *"\u1100\u1161\u11a8\uac00\uac01\u4e2d\uf900\u30ab\u3099\u30fc\uff76\uff9e\u0958\u0344\u1e69",
    *"\U0001f600\U0001f468\u200d\ufe0f\U0001f3fd\U0001f1e9\U0001d400\U00020000\U0002f800\u2581\u0120",
    *(
        "  ",
        "   ",
        "\r\n",
        "e\u0301",
        "q\u0307\u0323",
        "\u0915\u093f",
        "\U0001f469\u200d\U0001f4bb",
    ),
    *("aa", "ab", "Hello", "\u65e5\u672c\u8a9e", "\u039f\u03a3 "),
]
TEXTS = st.lists(
    st.sampled_from(SAMPLES) | st.characters(max_codepoint=0x33FF, exclude_categories=["Cs", "Cn"]),
    max_size=12,
).map("".join)
CONTENTS = st.sampled_from([" ", "x", "\u2581", "xyz", "e\u0301", "\u0301", "A "])
PATTERNS = st.sampled_from(
    [  # none matches nothing: what the library puts there spoils its own places for later steps
        {"String": " "},
        {"String": "a"},
        {"String": "aa"},
        {"String": "\u0301"},
        {"String": "\u2581"},
        {"Regex": r"\s+"},
        {"Regex": " {2,}"},
        {"Regex": r"^\s+|\s+$"},
        {"Regex": r"(?<=a)b|[0-9]+"},
        {"Regex": r"\p{M}+"},
        {"Regex": "."},
    ]
)
BOOLEANS = st.booleans()
BERT = ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase")
STEPS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    **{
        kind: st.just({"type": kind})
        for kind in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt", "ByteLevel")
    },
    "Strip": st.fixed_dictionaries(
        {"type": st.just("Strip"), "strip_left": BOOLEANS, "strip_right": BOOLEANS}
    ),
    "Prepend": st.fixed_dictionaries({"type": st.just("Prepend"), "prepend": CONTENTS}),
    "Replace": st.fixed_dictionaries(
        {"type": st.just("Replace"), "pattern": PATTERNS, "content": CONTENTS}
    ),
    "BertNormalizer": st.fixed_dictionaries(
        {
            "type": st.just("BertNormalizer"),
            "clean_text": BOOLEANS,
            "handle_chinese_chars": BOOLEANS,
            "strip_accents": BOOLEANS | st.none(),
            "lowercase": BOOLEANS,
        }
    ),
}
CHAINS = st.lists(st.one_of(list(STEPS.values())), max_size=4).map(
    lambda steps: {"type": "Sequence", "normalizers": steps}
)


@cache
def by_character(stage: str) -> Any:
    """The library with a normalizer, cutting what it gives into single characters."""
    from tokenizers import Regex, Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Split

    found = Tokenizer(WordLevel({"?": 0}, "?"))
    found.pre_tokenizer = Split(Regex(r"[\s\S]"), "isolated")
    content = json.loads(found.to_str())
    return Tokenizer.from_str(json.dumps(content | {"normalizer": json.loads(stage)}))


def assert_the_same(options: dict[str, Any], text: str) -> None:
    upstream, ours = (
        by_character(json.dumps(options)),
        normalizer(Component(options, library=OLDER)),
    )
    expected = upstream.normalizer.normalize_str(text)
    assert ours(text) == expected
    aligned = ours.aligned(AlignedText.of(text))
    assert aligned.text == expected
    places = [aligned.interval(at, at + 1) for at in range(len(expected))]
    assert places == upstream.encode(text, add_special_tokens=False).offsets


@pytest.mark.parametrize("kind", STEPS)
def test_a_step_alone_gives_the_library_s_text_and_places(kind: str) -> None:
    @settings(LAW, max_examples=some(150))
    @given(STEPS[kind], TEXTS)
    def law(options: dict[str, Any], text: str) -> None:
        assert_the_same(options, text)

    law()


@pytest.mark.parametrize("kind", ["String", "Regex"])
@pytest.mark.parametrize("content", ["", "x", "xy"])
@pytest.mark.parametrize("text", ["", "a", "ab", "\r\n", "e\u0301b"])
def test_an_empty_pattern_matches_at_both_ends_and_between_all_characters(
    kind: str, content: str, text: str
) -> None:
    assert_the_same({"type": "Replace", "pattern": {kind: ""}, "content": content}, text)


@pytest.mark.parametrize("text", ["", "a", "ab", "e\u0301b"])
def test_an_empty_text_to_prepend_moves_the_offset_of_the_first_character(text: str) -> None:
    assert_the_same({"type": "Prepend", "prepend": ""}, text)


@LAW
@given(CHAINS, TEXTS)
def test_a_chain_of_steps_gives_the_library_s_text_and_places(
    chain: dict[str, Any], text: str
) -> None:
    assert_the_same(chain, text)


@pytest.mark.parametrize("pattern", ["a*", "$", "(?=b)"])
def test_a_match_of_nothing_is_replaced_where_the_library_replaces_it(pattern: str) -> None:
    options = {"type": "Replace", "pattern": {"Regex": pattern}, "content": "x"}
    upstream, ours = by_character(json.dumps(options)), normalizer(Component(options))

    @settings(LAW, max_examples=some(100))
    @given(TEXTS | st.text("ab\n"))
    def law(text: str) -> None:
        assert ours(text) == upstream.normalizer.normalize_str(text)

    law()


@pytest.mark.parametrize(
    "options",
    [
        *({"type": kind} for kind in ("NFC", "NFD", "NFKC", "NFKD", "StripAccents", "Nmt")),
        {"type": "Lowercase"},
        {"type": "BertNormalizer", **dict.fromkeys(BERT, True)},
    ],
    ids=lambda options: "-".join(map(str, options.values())),
)
def test_every_character_of_unicode_is_taken_as_the_library_takes_it(
    options: dict[str, Any],
) -> None:
    upstream, ours = (
        by_character(json.dumps(options)),
        normalizer(Component(options, library=OLDER)),
    )
    codes = *range(0xD800), *range(0xE000, 0x33480), *range(0xE0000, 0xE01F0), 0xF0000, 0x10FFFF
    every = [*map(chr, codes)]
    for start in range(0, len(every), 4096):
        text = "\u0323a".join(every[start : start + 4096])
        assert ours(text) == upstream.normalizer.normalize_str(text)


def test_a_chain_within_a_chain_is_the_same_as_its_steps_in_order() -> None:
    inner = {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}]}
    options = {"type": "Sequence", "normalizers": [inner, {"type": "Lowercase"}]}
    assert_the_same(options, "\u00c9t\u00e9 \u0915\u093f")
    assert normalizer(Component(options))("\u00c9t\u00e9") == "ete"


def test_stripping_accents_takes_spacing_and_enclosing_marks_too() -> None:
    strip = normalizer(Component({"type": "StripAccents"}))
    assert strip("\u0915\u093f a\u20dd e\u0301") == "\u0915 a e"


def test_bert_s_stripping_of_accents_leaves_spacing_marks() -> None:
    options = {"type": "BertNormalizer", "strip_accents": True}
    assert normalizer(Component(options))("\u0915\u093f e\u0301") == "\u0915\u093f e"


@pytest.mark.parametrize("name", ["t5-small"])
def test_a_published_map_of_characters_gives_the_library_s_text_and_places(
    material: Path, name: str
) -> None:
    content = json.loads((material / "tokenizers" / name / "tokenizer.json").read_text())
    options = content["normalizer"]

    @settings(LAW, max_examples=some(150))
    @given(TEXTS, CHAINS)
    def law(text: str, chain: dict[str, Any]) -> None:
        if all(category(character) != "Cn" for character in text):
            assert_the_same(options, text)
            assert_the_same({"type": "Sequence", "normalizers": [chain, options]}, text)

    law()
