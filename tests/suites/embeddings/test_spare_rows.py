"""Rows to spare are a note of one check, and explain no index error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.report.model import Finding
from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
TOKENS = "abcdefgh"


def checkpoint(folder: Path, rows: int, stated: int) -> Path:
    made = Folder.bpe(TOKENS).config(model_type="llama", vocab_size=stated)
    return made.weights(model__embed_tokens__weight=[rows, 2]).write(folder)


def causes(found: list[Any]) -> list[str]:
    return [each.cause for each in found if isinstance(each, Finding)]


def test_spare_rows_are_said_once_where_the_config_states_them_too(
    tmp_path: Path, ask: Ask
) -> None:
    folder = checkpoint(tmp_path, rows=64, stated=64)
    assert causes(ask("embeddings/spare-rows", folder)) == ["spare"]
    assert causes(ask("embeddings/rows", folder)) == []
    assert causes(ask("embeddings/config-vocab-size", folder)) == []


def test_a_config_with_spare_rows_of_its_own_is_said(tmp_path: Path, ask: Ask) -> None:
    found = ask("embeddings/config-vocab-size", checkpoint(tmp_path, rows=8, stated=64))
    assert "vocab size" in causes(found)


@pytest.mark.parametrize("rows", [64, 61])
def test_the_reason_why_spare_rows_matter_is_no_index_error(tmp_path: Path, rows: int) -> None:
    folder = checkpoint(tmp_path, rows=rows, stated=rows)
    report = tokaudit.audit(folder, select=["embeddings"], tier="quick")
    why = {each.id: each.why for each in report.checks}
    about = [f for f in report.findings if "without a token" in f.message]
    assert [each.check for each in about] == ["embeddings/spare-rows"]
    assert "index error" not in why[about[0].check] and "index error" in why["embeddings/rows"]
