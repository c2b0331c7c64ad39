"""Where cuts differ, the vocabulary says whether tokens do."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some
from split_sources import TIKTOKEN_CL100K

from tokaudit.products.compare.patterns.splits import PreTokenizer, Split
from tokaudit.products.compare.patterns.tree import Dialect
from tokaudit.products.compare.patterns.verdicts import NotDecided, OtherTokens, SameTokens
from tokaudit.products.compare.proofs.across_cuts.entries import codes_with, parts
from tokaudit.products.compare.proofs.across_cuts.prove import given_vocabulary
from tokaudit_reference.text.published_patterns import CL100K, QWEN2

BYTES = [bytes([each]) for each in range(256)]


def rust(pattern: str) -> PreTokenizer:
    return (Split(pattern, Dialect.RUST),)


def always(text: str) -> bool:
    return True


SPACES, SPACE = rust(r"\s+|\S+"), rust(r"\s|\S+")


def test_no_entry_of_two_spaces_no_difference() -> None:
    assert isinstance(given_vocabulary(SPACES, SPACE, [*BYTES, b" a", b"ab"], always), SameTokens)


def test_an_entry_of_two_spaces_makes_one() -> None:
    found = given_vocabulary(SPACES, SPACE, [*BYTES, b"  "], always)
    assert found == OtherTokens("  ", b"  ")


def test_the_text_around_an_entry_is_found() -> None:
    left, right = rust("x(?:ab)y|(?:ab)|."), rust("x|y|ab|.")
    assert given_vocabulary(left, right, ["ab"], always) == SameTokens(1, 9)
    assert given_vocabulary(left, right, ["ab", "xa"], always) == OtherTokens("xaby", "xa")


def test_an_entry_that_ends_within_a_character_crosses_a_cut() -> None:
    left, right = rust("aé|."), rust(".")
    assert isinstance(given_vocabulary(left, right, [b"a\xc4"], always), SameTokens)
    assert given_vocabulary(left, right, [b"a\xc3"], always) == OtherTokens("aé", b"a\xc3")


def test_a_character_that_one_side_leaves_out_is_a_difference() -> None:
    left = (Split(r"\s", Dialect.RUST, "Removed"),)
    assert given_vocabulary(left, rust(r"\s"), [], always) == OtherTokens(" ", " ")


def test_texts_that_have_the_same_ids_decide_nothing() -> None:
    found = given_vocabulary(SPACES, SPACE, ["  "], lambda text: False)
    assert isinstance(found, NotDecided)
    assert "'  ' lies across a cut of one side" in found.reason


def test_a_pattern_that_is_not_followed_is_named() -> None:
    assert given_vocabulary(rust(r"(a)\1"), SPACE, [], always) == NotDecided(r"the escape \1")


@pytest.fixture(scope="module")
def ranks(material: Path) -> dict[bytes, int]:
    file = next((material / "tokenizers" / "cl100k_base").glob("*.tiktoken"))
    lines = (line.split() for line in file.read_bytes().splitlines() if line)
    return {base64.b64decode(entry): int(rank) for entry, rank in lines}


def encoding(pattern: str, ranks: dict[bytes, int]) -> tiktoken.Encoding:
    return tiktoken.Encoding("x", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


def test_cl100k_s_two_spellings_give_the_same_tokens(ranks: dict[bytes, int]) -> None:
    one, other = rust(CL100K), rust(TIKTOKEN_CL100K)
    assert given_vocabulary(one, other, ranks, always) == SameTokens(100_256, 28)
    ours, theirs = encoding(CL100K, ranks), encoding(TIKTOKEN_CL100K, ranks)

    @settings(max_examples=some(300), deadline=None, derandomize=True, database=None)
    @given(st.text(st.sampled_from(list(" \t\n\r\u3000a1!")), max_size=10))
    def alike(text: str) -> None:
        assert ours.encode_ordinary(text) == theirs.encode_ordinary(text)

    alike()


def test_the_spelling_of_qwen_2_gives_other_tokens(ranks: dict[bytes, int]) -> None:
    ours, theirs = encoding(CL100K, ranks), encoding(QWEN2, ranks)

    def differ(text: str) -> bool:
        return ours.encode_ordinary(text) != theirs.encode_ordinary(text)

    digits = [entry for entry in ranks if entry.isdigit()]
    assert given_vocabulary(rust(CL100K), rust(QWEN2), digits, differ) == OtherTokens("00", b"00")


@settings(max_examples=some(300), deadline=None, derandomize=True, database=None)
@given(
    st.text(st.sampled_from("aé漢😀\u0800\uffff"), max_size=4), st.integers(0, 3), st.integers(0, 3)
)
def test_parts_of_a_text_s_bytes_are_parts_of_its_characters(
    text: str, head: int, tail: int
) -> None:
    whole = text.encode()
    entry = whole[head : len(whole) - tail]
    before, inner, after = parts(entry)
    if entry:
        assert before + inner.encode() + after == entry
        assert all(codes_with(part, end) for part, end in ((before, True), (after, False)) if part)


@settings(max_examples=some(300), deadline=None, derandomize=True, database=None)
@given(
    st.sampled_from("\x80é\u07ff\u0800漢\ud7ff\ue000\uffff\U00010000😀\U0010ffff"),
    st.integers(1, 3),
)
def test_a_character_is_among_those_with_its_first_and_with_its_last_bytes(
    character: str, size: int
) -> None:
    whole = character.encode()
    if size < len(whole):
        assert ord(character) in codes_with(whole[:size], at_end=False)
        assert ord(character) in codes_with(whole[-size:], at_end=True)
