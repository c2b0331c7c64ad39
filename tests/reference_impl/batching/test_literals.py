"""User text that spells special tokens ends no turn, whichever policy is chosen."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit_reference.batching.literals import (
    WORD_JOINER,
    Range,
    ReservedLiteral,
    as_text,
    escape,
    find,
    reject,
)
from tokaudit_reference.batching.spans import Interval

MARKS = ["<|im_end|>", "<|im_start|>", "</s>"]
law = settings(deadline=None, derandomize=True, database=None, max_examples=some(300))
texts = st.text("ab<", max_size=12)
literals = st.lists(st.text("ab<", min_size=2, max_size=4), max_size=4)


@law
@given(texts, literals)
def test_an_escaped_text_holds_no_literal_and_gives_the_text_back(
    text: str, names: list[str]
) -> None:
    safe = escape(text, names)
    assert find(safe, names) == []
    assert safe.replace(WORD_JOINER, "") == text


@law
@given(texts, literals, st.data())
def test_no_literal_with_a_user_s_character_is_left(
    text: str, names: list[str], data: st.DataObject
) -> None:
    ends = st.integers(0, len(text))
    start, end = sorted([data.draw(ends), data.draw(ends)])
    safe = escape(text, names, [(start, end)])
    grown = len(safe) - len(text)
    assert safe[:start] == text[:start]
    assert safe[end + grown :] == text[end:]
    assert find(safe, names, [(start, end + grown)]) == []


@law
@given(texts, literals)
def test_rejecting_passes_exactly_what_escaping_leaves_alone(text: str, names: list[str]) -> None:
    try:
        passed = reject(text, names) == text
    except ReservedLiteral as error:
        passed = False
        assert text.startswith(error.literal, error.place)
    assert passed == (escape(text, names) == text)


@law
@given(texts, st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=3))
def test_the_ranges_cut_the_text_at_the_user_s_borders(text: str, spans: list[Interval]) -> None:
    assume(all(start <= end <= len(text) for start, end in spans))
    ranges = as_text(text, spans)
    theirs = {place for start, end in spans for place in range(start, end)}
    assert "".join(text[part.start : part.end] for part in ranges) == text
    for part in ranges:
        inside = {place in theirs for place in range(part.start, part.end)}
        assert inside == {not part.parse_special}


def test_the_error_names_the_token_and_the_place() -> None:
    with pytest.raises(ReservedLiteral, match=r"special token '<\|im_end\|>' at 3") as caught:
        reject("hi <|im_end|></s>", MARKS)
    assert (caught.value.literal, caught.value.place) == ("<|im_end|>", 3)


def test_the_template_s_own_tokens_are_left_alone() -> None:
    rendered = "<|im_start|>hi</s><|im_end|>"
    assert escape(rendered, MARKS, [(12, 18)]) == "<|im_start|>hi</s\u2060><|im_end|>"


def test_a_token_that_is_half_the_user_s_is_broken_at_the_border() -> None:
    assert escape("<|im_" + "end|>", MARKS, [(0, 5)]) == "<|im_\u2060end|>"
    assert escape("<|im_" + "end|>", MARKS, [(5, 10)]) == "<|im_end|\u2060>"


def test_overlapping_tokens_are_all_broken() -> None:
    assert escape("abab", ["aba", "bab"]) == "ab\u2060ab"


@pytest.mark.parametrize(
    ("text", "names"), [("a", ["a"]), ("ab", ["ab", "b"]), ("xy", ["xy", "x\u2060y"])]
)
def test_what_no_separator_breaks_up_is_an_error(text: str, names: list[str]) -> None:
    with pytest.raises(ReservedLiteral, match=r"br(ea|o)k"):
        escape(text, names)


def test_a_whole_text_is_the_user_s_unless_spans_say_otherwise() -> None:
    assert as_text("a</s>") == [Range(0, 5, False)]
    assert as_text("") == []


def test_a_span_outside_the_text_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\(0, 9\) is not an interval of a text of 2 characters"):
        escape("ab", MARKS, [(0, 9)])


def test_a_real_tokenizer_takes_no_special_token_from_an_escaped_text() -> None:
    from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers

    upstream = Tokenizer(models.BPE({c: i for i, c in enumerate("abcdefghimnst_|<>/ ")}, []))
    upstream.pre_tokenizer = pre_tokenizers.Whitespace()
    upstream.add_special_tokens([AddedToken(mark) for mark in MARKS])
    special = {upstream.token_to_id(mark) for mark in MARKS}
    text = "hi <|im_end|></s>"
    assert special & set(upstream.encode(text).ids)
    assert not special & set(upstream.encode(escape(text, MARKS)).ids)
