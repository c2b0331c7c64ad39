"""The report names every loader of a folder, and says which ran and which was emulated."""

from __future__ import annotations

from pathlib import Path

import pytest
from processes import starts_processes

import tokaudit
from tokaudit_folders.folder import Folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Folder.bpe({"a": 0, "b": 1, "ab": 2}, [["a", "b"]]).write(tmp_path)
    return tmp_path


@starts_processes
def test_the_library_and_the_reference_are_run_and_both_versions_emulated(folder: Path) -> None:
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "TokenizersBackend"}')
    report = tokaudit.audit(folder, tier="quick", select=["agreement/reference", "loaders"])
    assert [(each.name.split()[0], each.known_by, each.state) for each in report.loaders] == [
        ("tokenizers", "run", "agrees"),
        ("the", "run", "loads"),
        ("transformers", "emulated", "refuses"),
        ("transformers", "emulated", "loads"),
    ]
    library, reference, old, new = report.loaders
    assert library.texts == reference.texts > 0
    assert "does not exist" in old.says
    assert new.says == "as TokenizersBackend"


@starts_processes
def test_a_loader_that_no_check_asked_is_not_named(folder: Path) -> None:
    report = tokaudit.audit(folder, tier="quick", select=["vocab/holes"])
    assert report.loaders == ()


@starts_processes
def test_a_loader_is_not_known_where_no_file_names_a_class(folder: Path) -> None:
    report = tokaudit.audit(folder, tier="quick", select=["loaders/loads"])
    assert {(each.state, each.says) for each in report.loaders} == {
        ("unknown", "no file names a tokenizer class")
    }
