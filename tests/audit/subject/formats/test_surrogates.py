"""Half of a surrogate pair, which JSON can spell and no text holds, ends no audit in a crash."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.foundation.errors import UnreadableError
from tokaudit.report.model import Status
from tokaudit_folders.folder import Folder

HALF = "\ud800"
BYTES = {"pre_tokenizer": {"type": "ByteLevel"}, "decoder": {"type": "ByteLevel"}}


def written(folder: Path, model: dict[str, Any], **rest: Any) -> Path:
    whole = Folder.bpe("ab", [["a", "b"]]).changed(**rest)
    return replace(
        whole, tokenizer={**whole.tokenizer, "model": {**whole.tokenizer["model"], **model}}
    ).write(folder)


@pytest.mark.parametrize("key", ["continuing_subword_prefix", "end_of_word_suffix"])
@pytest.mark.parametrize("steps", [{}, BYTES])
def test_as_an_affix_it_is_refused_with_its_place(
    tmp_path: Path, key: str, steps: dict[str, Any]
) -> None:
    with pytest.raises(UnreadableError, match=f"/model/{key}: is half of a surrogate pair"):
        tokaudit.manifest(written(tmp_path, {key: HALF}, **steps))


@pytest.mark.parametrize("steps", [{}, BYTES])
def test_as_an_added_token_it_crashes_no_check(
    tmp_path: Path, steps: dict[str, Any], processes: None
) -> None:
    added = [{"id": 3, "content": HALF, "special": True}]
    report = tokaudit.audit(written(tmp_path, {}, added_tokens=added, **steps), tier="quick")
    assert [r.check for r in report.results if r.status is Status.CRASHED] == []


def test_as_an_entry_it_crashes_no_check(tmp_path: Path, processes: None) -> None:
    vocab = {"a": 0, "b": 1, "ab": 2, HALF: 3}
    report = tokaudit.audit(written(tmp_path, {"vocab": vocab}), tier="quick")
    assert [r.check for r in report.results if r.status is Status.CRASHED] == []
