"""The runtimes that an audit names: who differs is an error, who gives nothing leaves it open."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokaudit
from tokaudit.products.engines import compared_runtimes as runtimes
from tokaudit.products.engines import runtime_speed
from tokaudit.products.engines.referee import long_texts
from tokaudit_folders.folder import Folder

FAKES = Path(__file__).parents[2] / "audit" / "runtimes" / "fakes"
DIFFERS, ENDS = "call:hostile_runtimes:code_points", "call:hostile_runtimes:ends_at_once"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small tokenizer, few texts of each kind, and fakes that can be imported."""
    monkeypatch.setitem(runtimes.MOST_OF_A_KIND, "quick", 30)
    monkeypatch.setitem(long_texts.LARGEST, "quick", 10)
    monkeypatch.setattr(runtime_speed, "ROUNDS", 1)
    monkeypatch.setenv("PYTHONPATH", str(FAKES))
    return Folder.bpe("ab ", ["a b"]).added("<s>").write(tmp_path)


def audited(folder: Path, *names: str) -> tokaudit.Report:
    return tokaudit.audit(folder, runtime=names, select=["runtimes"], tier="quick")


def statuses(report: tokaudit.Report) -> dict[str, str]:
    return {each.check: str(each.status) for each in report.results}


def test_a_runtime_that_gives_the_ids_of_the_file_passes(folder: Path, processes: None) -> None:
    report = audited(folder, "tokenizers")
    assert statuses(report) == {"runtimes/agree": "passed", "runtimes/loads": "passed"}


def test_a_runtime_that_differs_is_an_error_with_the_text_and_both_rows(
    folder: Path, processes: None
) -> None:
    report = audited(folder, "tokenizers", DIFFERS)
    assert statuses(report) == {"runtimes/agree": "failed", "runtimes/loads": "passed"}
    causes = [each.cause for each in report.findings]
    assert causes and all(cause.endswith(f" in {DIFFERS}") for cause in causes)
    shown = report.findings[0].evidence[0]
    assert shown.text and shown.expected_label == "by the file"
    assert shown.expected != shown.actual


def test_a_runtime_that_ends_leaves_the_audit_open_and_is_named(
    folder: Path, processes: None
) -> None:
    report = audited(folder, "tokenizers", ENDS)
    assert statuses(report) == {"runtimes/agree": "passed", "runtimes/loads": "skipped"}
    assert report.verdict is tokaudit.Verdict.UNVERIFIABLE
    assert f"{ENDS} crashes: " in report.verdict_reason


def test_where_no_runtime_is_named_nothing_is_asked(folder: Path, processes: None) -> None:
    statuses_of = statuses(audited(folder))
    assert statuses_of == dict.fromkeys(("runtimes/agree", "runtimes/loads"), "not_applicable")


def test_a_runtime_that_nobody_knows_is_refused_before_any_work(folder: Path) -> None:
    with pytest.raises(tokaudit.UsageError, match="'tokeniserz' is not a known runtime"):
        audited(folder, "tokeniserz")
