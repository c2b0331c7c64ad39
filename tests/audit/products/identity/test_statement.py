"""A manifest says what a tokenizer is, and what drifted."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from processes import starts_processes

import tokaudit
from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.products.demo.checkpoints import small_tokenizer, write_json
from tokaudit.products.identity.drift import differences
from tokaudit.products.identity.statement import read, write


def written(place: Path) -> Path:
    """A tokenizer of 456 entries with settings next to it."""
    folder = place / "small"
    folder.mkdir()
    write_json(folder / "tokenizer.json", small_tokenizer())
    write_json(folder / "tokenizer_config.json", {"model_max_length": 2048})
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path)


def derived(folder: Path) -> dict[str, object]:
    return tokaudit.manifest(folder)


@pytest.fixture(scope="module")
@starts_processes
def before(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What is derived of a copy that nobody changes."""
    return derived(written(tmp_path_factory.mktemp("before")))


def test_a_manifest_is_an_in_toto_statement_over_the_files(
    before: dict[str, object],
) -> None:
    statement = before
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert [s["name"] for s in statement["subject"]] == ["tokenizer.json", "tokenizer_config.json"]  # type: ignore[attr-defined]


def test_nothing_drifts_when_nothing_changed(folder: Path, before: dict[str, object]) -> None:
    assert differences(before, derived(folder)) == []


def test_two_derivations_are_the_same_bytes(folder: Path, before: dict[str, object]) -> None:
    assert write(before) == write(derived(folder))


def test_swapped_ids_drift_in_the_vocabulary_and_nowhere_else_in_the_structure(
    folder: Path, before: dict[str, object]
) -> None:
    path = folder / "tokenizer.json"
    data = json.loads(path.read_text())
    vocab = data["model"]["vocab"]
    vocab["Ġthe"], vocab["Ġof"] = vocab["Ġof"], vocab["Ġthe"]
    path.write_text(json.dumps(data))
    drifted = {drift.name for drift in differences(before, derived(folder)) if drift.gated}
    assert drifted == {"vocab-v1", "behaviour-v1"}


def test_a_config_that_changes_drifts_in_the_facts(folder: Path, before: dict[str, object]) -> None:
    path = folder / "tokenizer_config.json"
    data = json.loads(path.read_text())
    data["model_max_length"] = 7
    path.write_text(json.dumps(data))
    drifts = differences(before, derived(folder))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert [(d.kind, d.name, d.now, d.gated) for d in drifts] == [
        ("facts", "tokenizer_config.json#/model_max_length", 7, True),
        ("files", "tokenizer_config.json", digest, False),
    ]


def test_a_file_written_anew_with_the_same_content_is_noted_and_is_no_drift(
    folder: Path, before: dict[str, object]
) -> None:
    path = folder / "tokenizer.json"
    path.write_text(json.dumps(json.loads(path.read_text()), indent=1))
    (note,) = differences(before, derived(folder))
    assert (note.kind, note.name, note.gated) == ("files", "tokenizer.json", False)
    assert str(note).startswith("note: files tokenizer.json: was ")


def test_the_report_has_the_digest_of_each_file_that_was_read_whole(folder: Path) -> None:
    report = tokaudit.audit(folder, select=["vocab/holes"], tier="quick")
    assert {file.name: file.sha256 for file in report.subject.files} == {
        file.name: hashlib.sha256((folder / file.name).read_bytes()).hexdigest()
        for file in report.subject.files
    }


def test_a_library_digest_that_moves_alone_is_no_drift(before: dict[str, object]) -> None:
    other = json.loads(json.dumps(before))
    identity = other["predicate"]["identity"]
    name = next(name for name in identity if "@" in name)
    identity[name] = "sha256:0"
    assert [drift.gated for drift in differences(other, before)] == [False]


def test_a_manifest_of_another_kind_is_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text('{"predicateType": "https://slsa.dev/provenance/v1"}')
    with pytest.raises(UsageError, match="is not a tokaudit manifest"):
        read(tmp_path / "m.json")


def test_a_manifest_that_is_no_json_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text("{")
    with pytest.raises(UnreadableError, match="is not JSON"):
        read(tmp_path / "m.json")
