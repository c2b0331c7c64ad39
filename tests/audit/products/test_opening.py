"""A subject that is opened to be looked at, and one check asked by itself."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import tokaudit
from tokaudit.engine.needs import Options
from tokaudit_reference.spec import ModelType, TokenizerSpec


@pytest.fixture(scope="module")
def workers_of_these_tests() -> None:
    """Workers start as users start them: whether one has ended is asked here."""


def test_what_is_open_shows_files_facts_and_the_tokenizer(small: Path) -> None:
    with tokaudit.open(small) as opened:
        assert [(file.name, file.role) for file in opened.files] == [
            ("config.json", "config"),
            ("tokenizer.json", "tokenizer.json"),
        ]
        assert ("eos_token_id", 3) in [(fact.name, fact.value) for fact in opened.facts]
        assert [found.format for found in opened.representations.all] == ["tokenizer.json"]
        assert (opened.spec.model_type, len(opened.spec.pieces)) == (ModelType.BPE, 3)
        assert repr(opened) == f"<Opened {str(small)!r}: 2 files, {len(opened.facts)} facts>"


def test_the_reference_and_the_library_encode_the_same(small: Path, processes: None) -> None:
    with tokaudit.open(small) as opened:
        texts = ["abba", "ab ab"]
        ours = [list(found.ids) for found in opened.reference.encode(texts)]
        theirs = [list(found.ids) for found in opened.library.encode(texts)]
    assert ours[0] == theirs[0] == [3, 1, 0]
    assert ours == theirs


def test_its_workers_end_with_the_object(small: Path, processes: None) -> None:
    opened = tokaudit.open(small)
    worker = opened.reference._tokenizer._process._process  # type: ignore[attr-defined]
    running = worker.poll() is None
    del opened
    gc.collect()
    assert (running, worker.poll() is None) == (True, False)


def test_what_is_open_can_be_audited(small: Path) -> None:
    with tokaudit.open(small) as opened:
        report = tokaudit.audit(opened, select=["vocab/holes"])
    assert [finding.check for finding in report.findings] == ["vocab/holes"]


def test_how_it_was_opened_is_not_said_again(small: Path) -> None:
    with tokaudit.open(small) as opened, pytest.raises(tokaudit.UsageError, match="pattern"):
        tokaudit.audit(opened, pattern="x")


def test_a_tokenizer_that_does_not_parse_is_open_and_says_why(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text('{"model": ')
    with tokaudit.open(tmp_path) as opened:
        assert "tokenizer.json" in opened.representations.all[0].error
        with pytest.raises(
            tokaudit.UnreadableError, match="no file of the tokenizer can be parsed"
        ):
            _ = opened.spec


def test_one_check_is_asked_by_its_id(small: Path) -> None:
    result = tokaudit.run_check("vocab/holes", small)
    assert (result.check, result.status) == ("vocab/holes", tokaudit.Status.PASSED)
    assert [finding.severity for finding in result.findings] == [tokaudit.Severity.WARNING]


@tokaudit.check(
    "mine/size",
    title="The tier reaches the check",
    why="w.",
    remedy="r.",
    severity=tokaudit.Severity.INFO,
    basis=tokaudit.Basis.INTRINSIC,
    tier="full",
)
def asked(spec: TokenizerSpec, options: Options) -> Iterator[tokaudit.Finding]:
    """Says what it was given."""
    text = f"{len(spec.pieces)} pieces, tier {options.tier}"
    yield tokaudit.Finding(tokaudit.Severity.INFO, text, cause="asked")


def test_one_check_of_ones_own_is_asked_whatever_its_tier(small: Path) -> None:
    result = tokaudit.run_check(asked, small, tier="quick")
    assert [finding.message for finding in result.findings] == ["3 pieces, tier quick"]


def test_one_check_is_asked_of_a_file_that_does_not_parse(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text('{"model": ')
    result = tokaudit.run_check("files/parse", tmp_path)
    assert result.status is tokaudit.Status.FAILED
    assert tokaudit.run_check(asked, tmp_path).status is tokaudit.Status.SKIPPED


def test_a_manifest_is_verified_against_its_subject(small: Path, processes: None) -> None:
    was = tokaudit.manifest(small)
    assert tokaudit.verify(small, was) == []
    (small / "config.json").write_text('{"vocab_size": 5, "eos_token_id": 3}')
    drift, file = tokaudit.verify(small, was)
    assert (drift.name, drift.was, drift.now, drift.gated) == (
        "config.json#/vocab_size",
        4,
        5,
        True,
    )
    assert (file.kind, file.name, file.gated) == ("files", "config.json", False)


def test_a_manifest_in_a_file_is_verified_too(small: Path, tmp_path: Path, processes: None) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(tokaudit.manifest(small)))
    assert tokaudit.verify(small, path) == []
