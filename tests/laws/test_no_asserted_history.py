"""No sentence that a report may hold says what happened earlier, unless evidence carries it."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from history import REVIEWED, said_of_history, sentences
from locations import ROOT

from tokaudit.engine.check import all_checks

PRODUCTS = (  # compare and identity have both sides before them, and say which differs from which
    *("products/audit", "products/chat", "products/demo", "products/fix", "products/gate"),
    *("products/preflight", "products/trace", "products/train", "products/data/api"),
    *("products/compare/api", "products/compare/work"),
)
ROOMS = (
    "suites/tokaudit_suites",
    *(f"audit/tokaudit/{r}" for r in ("subject", "engine", *PRODUCTS)),
)
FILES = [file for room in ROOMS for file in sorted((ROOT / room).rglob("*.py"))]


def asserted(texts: Iterable[str]) -> dict[str, list[str]]:
    """The texts that say what happened earlier, each with the words that do."""
    said = {text: said_of_history(text) for text in texts}
    return {text: words for text, words in said.items() if words}


def test_title_why_and_remedy_assert_no_history() -> None:
    found = {each.id: asserted((each.title, each.why, each.remedy)) for each in all_checks()}
    assert {id: said for id, said in found.items() if said} == {}


def test_no_text_of_a_module_asserts_history() -> None:
    found = {file: asserted(text for text in sentences(file) if " " in text) for file in FILES}
    assert {str(file.relative_to(ROOT)): said for file, said in found.items() if said} == {}


def test_every_reviewed_sentence_is_still_said() -> None:
    texts = "\n".join(text for file in FILES for text in sentences(file))
    assert [each for each in REVIEWED if each not in texts] == []


@pytest.mark.parametrize(
    "text",
    [
        "all have the same score, so the scores were lost",
        "3 tokens were exchanged or deleted after training",
        "merges were moved after training",
        "The normalizer used in training is present",
        "Restore the original merges.",
    ],
)
def test_a_sentence_that_asserts_history_is_seen(text: str) -> None:
    assert said_of_history(text)


def test_a_quoted_token_asserts_nothing() -> None:
    assert said_of_history("The pad token 'deleted' (id 3) is an ordinary token.") == []
