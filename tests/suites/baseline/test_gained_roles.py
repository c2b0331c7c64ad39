"""Roles that only one side's files state, by what loaders take of the other."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokaudit
from tokaudit_folders.folder import Folder

SMALL = Folder.bpe("ab", ["a b"]).added("<unk>", "<s>", "</s>").config(model_type="llama")
ANY = {"tokenizer_class": "PreTrainedTokenizerFast"}
BERT = Folder.bpe("ab", ["a b"]).added("[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]")


def said(tmp_path: Path, mine: Folder, theirs: Folder, check: str) -> list[tuple[str, str]]:
    folder, base = mine.write(tmp_path / "mine"), theirs.write(tmp_path / "base")
    report = tokaudit.audit(folder, base=base, select=[f"baseline/{check}"], tier="quick")
    return [(str(f.severity), f.cause) for result in report.results for f in result.findings]


@pytest.mark.parametrize(
    ("role", "severity"), [("bos_token", "warning"), ("pad_token", "info"), ("unk_token", "info")]
)
@pytest.mark.parametrize("theirs", [{}, {"bos_token": None, "pad_token": None, "unk_token": None}])
def test_a_role_that_the_base_has_no_token_for_is_named(
    tmp_path: Path, role: str, severity: str, theirs: dict[str, None]
) -> None:
    mine, base = SMALL.tokenizer_config(**ANY, **{role: "<s>"}), {**ANY, **theirs}
    found = said(tmp_path, mine, SMALL.tokenizer_config(**base), "defaults")
    assert found == [(severity, f"{role} gained")]


def test_a_token_that_the_bases_class_takes_anyway_is_not_gained(tmp_path: Path) -> None:
    plain = {"tokenizer_class": "LlamaTokenizer"}
    mine, theirs = (SMALL.tokenizer_config(**plain, **more) for more in ({"bos_token": "<s>"}, {}))
    assert said(tmp_path, mine, theirs, "defaults") == []


def test_a_role_that_is_left_to_a_class_with_the_same_token_is_not_missed(tmp_path: Path) -> None:
    plain = {"tokenizer_class": "BertTokenizer"}
    mine, theirs = (BERT.tokenizer_config(**plain, **more) for more in ({}, {"cls_token": "[CLS]"}))
    assert said(tmp_path, mine, theirs, "special-roles") == []
