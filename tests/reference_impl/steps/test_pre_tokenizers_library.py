"""Any chain of pre-tokenizers gives the pieces and places that Hugging Face's tokenizers gives."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from installed_library import OLDER
from law_examples import some

from tokaudit_reference.spec import Component
from tokaudit_reference.steps.pre_tokenizers import pre_tokenizer
from tokaudit_reference.steps.pre_tokenizers.split import BEHAVIORS
from tokaudit_reference.text.alignment import AlignedText

LAW = settings(deadline=None, derandomize=True, database=None, max_examples=some(400))
SAMPLES = [
    *"abZ\u00c9\u00e9\u00df\u01c5\u03a3\ufb01\u00a0\u3000\u2003\t\n\r\x0b\x0c\x1c\x1f\x85\u2028\u200b\ufeff\0\x7f",
    *"019\u0663\u00bd\u00b2\u2167\u3007.,!?'\"-_()[]$+<=>^`|~\u20ac\u3002\uff0c\u0964\u00a7\u00b6",
    *"\u0301\u0488\u064b\u093c\u093e\u0e33\u1100\uac00\u4e2d\u3042\u30ab\u30fc\uff76\u0410\u05d0\u0915",
    *"\U0001f600\u200d\ufe0f\U0001f3fd\U0001f1e9\U0001d7d9\U00020000\u2581\u0120\u0378\U0001e94b",
    *(
        "  ",
        "   ",
        "\r\n",
        " \n ",
        "e\u0301",
        "\u0915\u093f",
        "\U0001f469\u200d\U0001f4bb",
        "\u2581\u2581",
    ),
    *("don't", "'LL", "aa", "Hello", "123", "x2", "\u65e5\u672c", "...", "\u03b1\u03b2"),
]
TEXTS = st.lists(
    st.sampled_from(SAMPLES) | st.characters(max_codepoint=0x33FF, exclude_categories=["Cs", "Cn"]),
    max_size=12,
).map("".join)
BOOLEANS = st.booleans()
BEHAVIOURS = st.sampled_from(
    ["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"]
)
PATTERNS = st.sampled_from(
    [
        *({"String": text} for text in (" ", "a", "aa", "\u2581", "\n", "\U0001f600", "zz")),
        {"Regex": r"\s+"},
        {"Regex": r"\s"},
        {"Regex": r"\p{N}{1,3}"},
        {"Regex": r"\w+|[^\w\s]+"},
        {
            "Regex": r"(?i:'s|'t|'ll)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
        },
        {"Regex": "a*"},
        {"Regex": "(?=a)"},
        {"Regex": "(a)|(b)"},
        {"Regex": r"\p{Han}+|\p{Hiragana}"},
        {"Regex": r"[^\n]+|\n+"},
        {"Regex": r".{1,2}"},
    ]
)


def step(kind: str, **options: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """One step with any of its options."""
    return st.fixed_dictionaries({"type": st.just(kind), **options})


STEPS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "Split": step("Split", pattern=PATTERNS, behavior=BEHAVIOURS, invert=BOOLEANS),
    "ByteLevel": step(
        "ByteLevel", add_prefix_space=BOOLEANS, trim_offsets=BOOLEANS, use_regex=BOOLEANS
    ),
    "Metaspace": step(
        "Metaspace",
        replacement=st.sampled_from(["\u2581", "_", "\u0120"]),
        prepend_scheme=st.sampled_from(["always", "never", "first"]),
        split=BOOLEANS,
    ),
    **{
        kind: step(kind)
        for kind in ("Whitespace", "WhitespaceSplit", "BertPreTokenizer", "UnicodeScripts")
    },
    "Punctuation": step("Punctuation", behavior=BEHAVIOURS),
    "Digits": step("Digits", individual_digits=BOOLEANS),
    "CharDelimiterSplit": step(
        "CharDelimiterSplit", delimiter=st.sampled_from([" ", "a", "\u2581", "\n", "\U0001f600"])
    ),
    "FixedLength": step("FixedLength", length=st.integers(1, 6)),
}
CHAINS = st.lists(st.one_of(list(STEPS.values())), min_size=1, max_size=4).map(
    lambda steps: {"type": "Sequence", "pretokenizers": steps}
)


@cache
def upstream_of(stage: str) -> Any:
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel

    content = json.loads(Tokenizer(WordLevel({"?": 0}, "?")).to_str())
    found = Tokenizer.from_str(json.dumps(content | {"pre_tokenizer": json.loads(stage)}))
    return found.pre_tokenizer


def assert_the_same(options: dict[str, Any], text: str) -> None:
    ours = pre_tokenizer(Component(options, library=OLDER))
    expected = upstream_of(json.dumps(options)).pre_tokenize_str(text)
    assert ours(text, True) == [piece for piece, _ in expected]
    aligned = ours.aligned(AlignedText.of(text))
    assert [(piece.text, piece.interval(0, len(piece.text))) for piece in aligned] == expected


@pytest.mark.parametrize("kind", STEPS)
def test_a_step_alone_gives_the_library_s_pieces_and_places(kind: str) -> None:
    @LAW
    @given(STEPS[kind], TEXTS)
    def law(options: dict[str, Any], text: str) -> None:
        assert_the_same(options, text)

    law()


@pytest.mark.parametrize("kind", ["String", "Regex"])
@pytest.mark.parametrize("invert", [False, True])
@pytest.mark.parametrize("behavior", BEHAVIORS)
def test_an_empty_pattern_parts_all_characters(kind: str, behavior: str, invert: bool) -> None:
    split = {"type": "Split", "pattern": {kind: ""}, "behavior": behavior, "invert": invert}
    for text in ("", "a", "abc", "\r\n", "e\u0301b"):
        assert_the_same(split, text)


@LAW
@given(CHAINS, TEXTS)
def test_a_chain_of_steps_gives_the_library_s_pieces_and_places(
    chain: dict[str, Any], text: str
) -> None:
    assert_the_same(chain, text)
