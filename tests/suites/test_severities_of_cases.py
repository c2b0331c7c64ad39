"""Small folders whose faults had a wrong severity or a wrong name, each with a sound twin."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import tokaudit
import tokaudit_suites.throughput
from tokaudit.report.model import Finding, Severity
from tokaudit_folders.folder import Folder

Ask = Callable[..., list[object]]
YARDSTICK = Path(tokaudit_suites.throughput.__path__[0]) / "yardstick.json"
GPT4 = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}|"
    r" ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
)


def findings(found: list[object]) -> list[Finding]:
    return [each for each in found if isinstance(each, Finding)]


def test_a_minbpe_model_of_bytes_lacks_no_byte_level_step(tmp_path: Path, ask: Ask) -> None:
    file = tmp_path / "x.model"
    file.write_text(f"minbpe v1\n{GPT4}\n0\n32 116\n", newline="")
    result = tokaudit.run_check("pipeline/byte-components", file)
    assert result.findings == () and "plain bytes" in result.reason


@pytest.fixture
def merged() -> Any:
    return json.loads(YARDSTICK.read_text())


def without(merged: Any, first: int) -> Any:
    """A byte-level BPE without one of its merges."""
    listed = [each for at, each in enumerate(merged["model"]["merges"]) if at != first]
    return {**merged, "model": {**merged["model"], "merges": listed}}


def test_the_first_merge_of_letters_that_is_lost_is_one_error_with_all_that_is_built_on_it(
    tmp_path: Path, ask: Ask, merged: Any
) -> None:
    (tmp_path / "tokenizer.json").write_text(json.dumps(without(merged, 4)))
    [found] = findings(ask("merges/missing", tmp_path))
    assert found.severity is Severity.ERROR
    assert found.message.startswith("1 token has no merge that builds it")
    assert "tokens are never produced" in found.message
    assert findings(ask("vocab/unreachable", tmp_path)) == []


def test_a_last_merge_that_is_lost_stays_less_than_an_error(
    tmp_path: Path, ask: Ask, merged: Any
) -> None:
    last = len(merged["model"]["merges"]) - 5
    (tmp_path / "tokenizer.json").write_text(json.dumps(without(merged, last)))
    assert [each.severity for each in findings(ask("merges/missing", tmp_path))] == [
        Severity.WARNING
    ]
    (tmp_path / "tokenizer.json").write_text(json.dumps(merged))
    assert findings(ask("merges/missing", tmp_path)) == []


def test_one_text_at_two_ids_is_one_finding_that_names_the_row_that_is_never_used(
    tmp_path: Path, processes: None
) -> None:
    Folder.bpe(["c", "C", "CC"], ["C C"]).added("CC").write(tmp_path)
    tokenizer = json.loads((tmp_path / "tokenizer.json").read_text())
    tokenizer["added_tokens"][0]["id"] = 3
    (tmp_path / "tokenizer.json").write_text(json.dumps(tokenizer))
    [found] = tokaudit.run_check("vocab/duplicate-id", tmp_path).findings
    assert (
        "'CC' is at two ids, 2 and 3; tokenizers gives 2, so that row 3 is never" in found.message
    )
    assert found.repair is not None and found.repair.decided_by is not None
    assert tokaudit.run_check("special_tokens/ordinary-words", tmp_path).findings == ()


def test_the_size_of_a_draft_is_no_unknown_key(ask: Ask, folder: Path, sick: ModuleType) -> None:
    sick.edit(folder, "config.json", lambda c: c.update(model_type="llama", draft_vocab_size=9))
    assert findings(ask("config/unknown-keys", folder)) == []
