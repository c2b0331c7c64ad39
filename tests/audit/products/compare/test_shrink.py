"""The shrinker gives a text from which nothing can be taken."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from tokaudit.engine.texts.shrink import minimise, plainest


def contains(*wanted: str):  # type: ignore[no-untyped-def]
    def fails(texts: Sequence[str]) -> list[bool]:
        return [all(part in text for part in wanted) for text in texts]

    return fails


def test_only_what_the_failure_needs_is_left() -> None:
    assert minimise("one  two three", contains("  ")) == "  "


def test_a_letter_that_does_not_matter_becomes_the_plainest_of_its_class() -> None:
    def fails(texts: Sequence[str]) -> list[bool]:
        return [len(text) >= 2 and text[:1].isupper() for text in texts]

    assert minimise("Šx", fails) == "Aa"


def test_each_class_has_its_plainest_character() -> None:
    assert [plainest(c) for c in "ßÉ7\t ,€漢"] == ["a", "A", "0", "\n", " ", ".", "+", "a"]


@given(st.text(max_size=30), st.text(min_size=1, max_size=3), st.text(max_size=30))
def test_deleting_any_one_character_of_a_minimal_text_loses_the_failure(
    before: str, needed: str, after: str
) -> None:
    fails = contains(needed)
    small = minimise(before + needed + after, fails)
    assert fails([small]) == [True]
    assert not any(fails([small[:i] + small[i + 1 :] for i in range(len(small))]))


@given(st.text(max_size=40))
def test_a_text_that_does_not_fail_comes_back_as_it_was(text: str) -> None:
    assert minimise(text, lambda texts: [False for _ in texts]) == text
