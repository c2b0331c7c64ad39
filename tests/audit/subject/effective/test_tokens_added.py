"""Tokens that both versions add because settings name them: recorded answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tokaudit.subject.effective.loaders import CURRENT
from tokaudit.subject.effective.tokens_added import tokens_added
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders.folder import Folder

RECORDED = Path(__file__).parents[1] / "recorded" / "tokens_added.json"
ANSWERS: list[dict[str, Any]] = json.loads(RECORDED.read_text("utf-8"))


def of_answer(answer: dict[str, Any]) -> Folder:
    """The folder whose vocabulary `AutoTokenizer` of both versions was asked for."""
    folder = Folder.bpe("ab", ["a b"]).added("<s>", "</s>", "<unk>")
    folder = folder.tokenizer_config(tokenizer_class=answer["class"], **answer["settings"])
    return folder.settings("special_tokens_map.json", **answer["map"]) if answer["map"] else folder


@pytest.mark.parametrize("at", range(len(ANSWERS)))
def test_what_is_added_is_what_each_version_answered(tmp_path: Path, at: int) -> None:
    answer = ANSWERS[at]
    subject = open_subject(of_answer(answer).write(tmp_path))
    [(_, spec)] = parse_all(subject).parsed
    found = [sorted(tokens_added(subject, spec, loader)) for loader in CURRENT]
    assert found == [each or [] for each in answer["added"]]
