"""One score of two copies of a Unigram is found, with a text where one shows it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Finding
from tokaudit_faults.healthy import folders as fixtures
from tokaudit_folders import sick

pytestmark = pytest.mark.usefixtures("processes")

Ask = Callable[..., list[object]]
CHECK = "agreement/scores"


@pytest.fixture
def unigram(tmp_path: Path) -> Path:
    """A SentencePiece Unigram with a tokenizer.json of the same scores."""
    folder = tmp_path / "model"
    fixtures.marked(folder, model_type="unigram", vocab_size=340)
    read = fixtures.scored(folder / "tokenizer.model")

    def change(tokenizer: Any) -> None:
        tokenizer["model"] = {"type": "Unigram", "unk_id": 0, "vocab": read, "byte_fallback": True}

    sick.edit(folder, "tokenizer.json", change)
    return folder


def rescored(folder: Path, piece: str, change: Callable[[float], float]) -> None:
    def edit(tokenizer: Any) -> None:
        for entry in tokenizer["model"]["vocab"]:
            if entry[0] == piece:
                entry[1] = change(entry[1])

    sick.edit(folder, "tokenizer.json", edit)


def said(ask: Ask, folder: Path) -> list[Finding]:
    return [each for each in ask(CHECK, folder) if isinstance(each, Finding)]


def test_copies_with_the_same_scores_are_silent(ask: Ask, unigram: Path) -> None:
    rescored(unigram, "\u2581the", lambda score: round(score, 6))  # as decimals are written
    assert said(ask, unigram) == []


def test_a_score_that_changes_a_text_is_an_error_with_that_text(ask: Ask, unigram: Path) -> None:
    rescored(unigram, "\u2581the", lambda score: score - 30)
    (found,) = said(ask, unigram)
    assert str(found.severity) == "error"
    assert [each.text for each in found.evidence if each.kind == "text"] == ["the"]


def test_a_score_that_no_text_shows_is_a_warning(ask: Ask, unigram: Path) -> None:
    rescored(unigram, "\u2581the", lambda score: score + 0.001)
    (found,) = said(ask, unigram)
    assert str(found.severity) == "warning"
    assert found.message.endswith("No text was found that they cut differently.")


def test_what_converters_hold_back_is_no_difference(ask: Ask, unigram: Path) -> None:
    rescored(unigram, "\u2581the", lambda score: score - 100)
    assert said(ask, unigram) == []


def test_a_folder_with_one_copy_is_not_asked(ask: Ask, folder: Path) -> None:
    with pytest.raises(NotApplicable):
        ask(CHECK, folder)
