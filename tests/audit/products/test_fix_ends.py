"""Repairs end: no two undo each other, and none hides the fault that it was stated for."""

from __future__ import annotations

import json
from pathlib import Path

import tokaudit
from tokaudit_folders import sick


def rows(folder: Path, embedding: int, declared: int) -> None:
    """A checkpoint with so many rows, whose config declares so many."""
    sick.healthy(folder)
    sick.edit(folder, "config.json", lambda c: c.update(vocab_size=declared))
    sick.weights(folder, {"model.embed_tokens.weight": embedding, "lm_head.weight": embedding})


def test_a_size_between_ids_and_rows_is_set_to_the_rows_once(tmp_path: Path) -> None:
    rows(tmp_path / "model", embedding=384, declared=300)
    fixed = tokaudit.fix(tmp_path / "model", select=["embeddings/config-vocab-size"], tier="quick")
    assert [(each.now, each.wanted) for each in fixed.changes] == [(300, 384)]
    assert (fixed.left, fixed.circles) == ((), False)


def test_rows_that_are_missing_are_nothing_that_a_number_mends(tmp_path: Path) -> None:
    rows(tmp_path / "model", embedding=300, declared=380)
    report = tokaudit.audit(tmp_path / "model", select=["embeddings"], tier="quick")
    assert [f.repair.executable for f in report.errors if f.repair] == [False] * len(report.errors)
    assert not any("Set vocab_size" in each.remedy for each in report.errors)
    assert tokaudit.fix(tmp_path / "model", select=["embeddings"], tier="quick").patch == ""
    assert json.loads((tmp_path / "model/config.json").read_text())["vocab_size"] == 380
