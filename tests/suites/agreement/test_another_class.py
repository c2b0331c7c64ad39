"""Ids that are moved by the tokens of a class which no file names: one card, the class."""

from __future__ import annotations

from pathlib import Path

import pytest
from class_folders import model, pieces_of

import tokaudit
from tokaudit_folders.folder import Folder

FILE, HEAD = "sentencepiece.bpe.model", ["<s>", "<pad>", "</s>", "<unk>"]


def folder(path: Path, head: list[str], settings: dict[str, str], config: dict[str, str]) -> Path:
    """A model, and a tokenizer.json whose ids are those of its pieces after other tokens."""
    data = model("unigram")
    made = Folder.unigram([(piece, 0.0) for piece in (*head, *pieces_of(data)[3:])], unk_id=3)
    made = made.file(FILE, data).tokenizer_config(**settings)
    return (made.config(**config) if config else made).write(path)


@pytest.mark.parametrize(
    ("settings", "config", "states"),
    [
        (
            {"tokenizer_class": "RobertaTokenizer"},
            {},
            "tokenizer_class RobertaTokenizer",
        ),
        ({}, {"model_type": "bert"}, "model_type bert"),
    ],
)
def test_ids_that_another_class_explains_are_said_of_the_class(
    tmp_path: Path, settings: dict[str, str], config: dict[str, str], states: str
) -> None:
    path = folder(tmp_path / "before", HEAD, settings, config)
    [finding] = tokaudit.run_check("agreement/vocab", path).findings
    assert (str(finding.severity), finding.cause) == ("error", "class")
    assert f"states {states}, but the ids of tokenizer.json are those that XLMRoberta" in (
        finding.message
    )
    tokaudit.fix(path, select=["agreement/vocab"], tier="quick", out=tmp_path / "after")
    assert tokaudit.run_check("agreement/vocab", tmp_path / "after").findings == ()


def test_ids_that_no_class_explains_are_moved_all_the_same(tmp_path: Path) -> None:
    path = folder(tmp_path, [*HEAD, "<own>"], {"tokenizer_class": "RobertaTokenizer"}, {})
    found = tokaudit.run_check("agreement/vocab", path).findings
    assert "class" not in [each.cause for each in found] and found
