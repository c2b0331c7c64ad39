"""Folders that one version of transformers refuses: who refuses, how that is known, what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokaudit
from tokaudit.foundation.errors import UsageError
from tokaudit.report.model import Finding, Severity
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_folders.folder import Folder

BOTH = [f"transformers=={FOUR}", f"transformers=={FIVE}"]


def folder_of(tmp_path: Path, **settings: object) -> Path:
    return Folder.bpe("ab", ["a b"]).tokenizer_config(**settings).write(tmp_path)


def found(path: Path, loaders: list[str] | None = None) -> list[Finding]:
    report = tokaudit.audit(path, select=["loaders/loads"], tier="quick", loaders=loaders or ())
    return [finding for result in report.results for finding in result.findings]


def test_a_class_that_version_4_lacks_is_a_warning_that_names_both_versions(
    tmp_path: Path,
) -> None:
    (finding,) = found(folder_of(tmp_path, tokenizer_class="TokenizersBackend"))
    assert finding.severity is Severity.WARNING
    assert f"transformers {FOUR} (emulated) fails to load the folder" in finding.message
    assert f"transformers {FIVE} (emulated) loads the folder" in finding.message


def test_it_is_an_error_where_the_version_that_refuses_is_stated(tmp_path: Path) -> None:
    (finding,) = found(
        folder_of(tmp_path, extra_special_tokens=["a"], tokenizer_class="GPT2Tokenizer"), BOTH
    )
    assert finding.severity is Severity.ERROR
    assert "'list' object has no attribute 'keys'" in finding.message


def test_nothing_is_said_where_only_the_version_that_takes_it_is_stated(tmp_path: Path) -> None:
    assert found(folder_of(tmp_path, tokenizer_class="TokenizersBackend"), BOTH[1:]) == []


def test_what_both_versions_refuse_is_an_error_whoever_is_stated(tmp_path: Path) -> None:
    (finding,) = found(folder_of(tmp_path, tokenizer_class="GPT2Tokenizer", eos_token=3))
    assert finding.severity is Severity.ERROR


@pytest.mark.parametrize(
    "settings",
    [
        {"tokenizer_class": "TokenizersBackend"},
        {"tokenizer_class": "PreTrainedTokenizerFast", "extra_special_tokens": ["a", "ab"]},
        {"tokenizer_class": "GPT2Tokenizer", "add_prefix_space": None},
    ],
)
def test_the_repair_makes_a_folder_that_both_versions_take(
    tmp_path: Path, settings: dict[str, object]
) -> None:
    path = folder_of(tmp_path / "before", **settings)
    tokaudit.fix(path, select=["loaders/loads"], tier="quick", out=tmp_path / "after")
    assert found(tmp_path / "after", BOTH) == []


def test_a_loader_that_cannot_be_run_leaves_it_undecided(tmp_path: Path) -> None:
    path = folder_of(tmp_path, tokenizer_class="GPT2Tokenizer")
    report = tokaudit.audit(
        path, select=["loaders/loads"], tier="quick", loaders=["transformers==4.30.0"]
    )
    assert [str(result.status) for result in report.results] == ["skipped"]
    assert "transformers 4.30.0 (not run)" in report.results[0].reason
    assert str(report.verdict) == "unverifiable"


def test_a_loader_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="did you mean transformers"):
        found(folder_of(tmp_path), ["transformrs==4"])


@pytest.mark.parametrize(
    ("token", "says"),
    [
        ({"lstrip": None}, "'NoneType' object cannot be converted to 'PyBool'"),
        ({"special": 1}, "'int' object is not an instance of 'bool'"),
        ({"content": 7}, "'int' object is not an instance of 'str'"),
        ({"content": None}, None),
        ({"lstrip": False, "more": 1}, None),
    ],
)
def test_a_flag_of_a_token_is_true_or_false_to_both_versions(
    tmp_path: Path, token: dict[str, object], says: str | None
) -> None:
    table = {"3": {"content": "<x>", "special": True, **token}}
    reported = found(
        folder_of(tmp_path, tokenizer_class="GPT2Tokenizer", added_tokens_decoder=table)
    )
    assert [each.severity for each in reported] == ([] if says is None else [Severity.ERROR])
    assert all(says in each.message for each in reported if says)


def test_the_map_is_not_asked_for_flags_where_the_settings_have_a_table(tmp_path: Path) -> None:
    written = Folder.bpe("ab", ["a b"]).settings(
        "special_tokens_map.json", eos_token={"content": "ab", "lstrip": None}
    )
    path = written.tokenizer_config(tokenizer_class="GPT2Tokenizer").write(tmp_path / "without")
    assert [each.cause for each in found(path)] == ["lstrip"]
    with_table = written.tokenizer_config(tokenizer_class="GPT2Tokenizer", added_tokens_decoder={})
    assert found(with_table.write(tmp_path / "with")) == []


def test_a_class_without_a_letter_is_refused_by_version_4_alone(tmp_path: Path) -> None:
    (finding,) = found(folder_of(tmp_path, tokenizer_class=""))
    assert (finding.severity, finding.cause) == (Severity.WARNING, "tokenizer_class")
