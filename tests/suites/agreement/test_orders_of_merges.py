"""Copies of merges in another order: an error only where some text shows it."""

from __future__ import annotations

import json
from pathlib import Path

import tokaudit
from tokaudit_folders.folder import Folder

VOCAB = {"a": 0, "b": 1, "c": 2, "d": 3, "ab": 4, "cd": 5, "bc": 6}
MERGES = ["a b", "c d", "b c"]


def said(folder: Path, listed: list[str]) -> list[tuple[str, str]]:
    (folder / "vocab.json").write_text(json.dumps(VOCAB), "utf-8")
    (folder / "merges.txt").write_text("\n".join(["#version: 0.2", *listed, ""]), "utf-8")
    found = tokaudit.run_check("agreement/merges", folder).findings
    return [(str(each.severity), each.cause) for each in found]


def test_merges_that_never_meet_may_stand_in_any_order(tmp_path: Path) -> None:
    folder = Folder.bpe(VOCAB, MERGES).write(tmp_path)
    assert said(folder, ["c d", "a b", "b c"]) == [("warning", "order")]


def test_merges_that_compete_for_a_letter_are_an_error_in_another_order(tmp_path: Path) -> None:
    folder = Folder.bpe(VOCAB, MERGES).write(tmp_path)
    assert said(folder, ["b c", "a b", "c d"]) == [("error", "listed")]


def test_the_warning_says_that_it_is_proved(tmp_path: Path) -> None:
    folder = Folder.bpe(VOCAB, MERGES).write(tmp_path)
    said(folder, ["c d", "a b", "b c"])
    (finding,) = tokaudit.run_check("agreement/merges", folder).findings
    assert finding.message == (
        "The merges in tokenizer.json and merges.txt differ, but build the same tokens of every "
        "text, which is proved."
    )
