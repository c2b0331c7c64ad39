"""No sentence that a report may hold says what happened earlier, unless evidence carries it."""

from __future__ import annotations

from pathlib import Path

import pytest
from history import REVIEWED, said_of_history, sentences

from tokaudit.engine.check import Check, all_checks

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("suites/tokaudit_suites", *(f"audit/tokaudit/{r}" for r in ("subject", "engine", "api")))
FILES = [file for room in ROOMS for file in sorted((ROOT / room).rglob("*.py"))]


@pytest.mark.parametrize("check", all_checks(), ids=lambda check: check.id)
def test_title_why_and_remedy_assert_no_history(check: Check) -> None:
    said = {text: said_of_history(text) for text in (check.title, check.why, check.remedy)}
    assert {text: words for text, words in said.items() if words} == {}


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_text_of_a_module_asserts_history(file: Path) -> None:
    found = {text: said_of_history(text) for text in sentences(file) if " " in text}
    assert {text: words for text, words in found.items() if words} == {}


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
