"""`tokaudit train` says what it made, prints the merges, audits the result, and ends so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tokaudit.products.audit import auditing

PAPER = "low " * 5 + "lower " * 2 + "newest " * 6 + "widest " * 3


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """The words of the first paper on subword BPE, each as often as there."""
    file = tmp_path / "paper.txt"
    file.write_text(PAPER)
    return file


def test_merges_are_printed_with_their_counts(tokaudit_in_fork, corpus: Path) -> None:  # type: ignore[no-untyped-def]
    arguments = ("--vocab-size", 258, "--pattern", r"\S+|\s+", "--merges", "--skip-audit")
    done = tokaudit_in_fork("train", corpus, "--out", corpus.parent / "o", *arguments)
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "merge 1/2: 'e' + 's' -> 'es', 9 times",
        "merge 2/2: 'es' + 't' -> 'est', 9 times",
    ]
    assert "2 merges, the last of a pair that occurs 9 times" in done.stderr


def test_it_ends_with_the_audit_of_what_it_made(tokaudit_in_fork, corpus: Path) -> None:  # type: ignore[no-untyped-def]
    report = corpus.parent / "report.json"
    arguments = ("--vocab-size", 260, "--report", report)
    done = tokaudit_in_fork("train", corpus, "--out", corpus.parent / "o", *arguments)
    assert done.returncode == 0 and done.stderr.splitlines()[-1] == "  audit: PASS: no errors"
    assert json.loads(report.read_text())["verdict"] == "pass"


def test_a_result_that_fails_its_audit_ends_with_1(
    corpus: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    processes: None,
) -> None:
    from tokaudit.cli import main

    audited = auditing.audited

    def of_a_broken_copy(subject, *rest):  # type: ignore[no-untyped-def]
        file = Path(subject) / "tokenizer.json"
        content = json.loads(file.read_text())
        content["model"]["merges"].append(["q", "q"])
        file.write_text(json.dumps(content))
        return audited(subject, *rest)

    monkeypatch.setattr(auditing, "audited", of_a_broken_copy)
    out = corpus.parent / "o"
    assert main(["train", str(corpus), "--vocab-size", "260", "--out", str(out)]) == 1
    assert "audit: FAIL" in capsys.readouterr().err


def test_several_sizes_are_each_named_with_their_folder(tokaudit_in_fork, corpus: Path) -> None:  # type: ignore[no-untyped-def]
    arguments = ("--vocab-size", "257,260", "--skip-audit", "--out", corpus.parent / "o")
    done = tokaudit_in_fork("train", corpus, *arguments)
    said = [line for line in done.stderr.splitlines() if not line.startswith(" ")]
    assert said == [f"{corpus.parent}/o-257: 257 entries", f"{corpus.parent}/o-260: 260 entries"]
