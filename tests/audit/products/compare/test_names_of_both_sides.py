"""The tokens of each side are named by its own vocabulary, wherever a report shows them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from processes import starts_processes

import tokaudit
from tokaudit.engine.evidence import TokenRow, two_rows
from tokaudit.report.report import Report
from tokaudit.report.writer import writer_for
from tokaudit_folders.folder import Folder
from tokaudit_reports.in_lines.evidence import evidence_lines

OURS = {"a": 0, "b": 1, "ab": 2}
THEIRS = {"x": 0, "ab": 1, "y": 2, "a": 3, "b": 4}


def write(folder: Path, vocab: dict[str, int]) -> Path:
    folder.mkdir()
    Folder.bpe(vocab, [["a", "b"]]).write(folder)
    return folder


@pytest.fixture
@starts_processes
def report(tmp_path: Path) -> Report:
    ours, theirs = write(tmp_path / "ours", OURS), write(tmp_path / "theirs", THEIRS)
    return tokaudit.audit(ours, against=theirs, select=["agreement/against"], tier="quick")


def test_each_side_names_its_tokens_itself(report: Report) -> None:
    comparison = report.comparison
    assert comparison is not None and comparison.minimal is not None
    minimal = comparison.minimal
    assert minimal.text == "a"
    assert [(t.id, t.piece) for t in minimal.expected] == [(0, "a")]
    assert [(t.id, t.piece) for t in minimal.actual] == [(3, "a")]


def test_the_names_of_both_sides_are_in_the_json(report: Report) -> None:
    reported = json.loads(report.to_json())["comparison"]
    assert reported["minimal"]["actual"] == [{"id": 3, "piece": "a"}]
    assert (reported["left_file"], reported["right_file"]) == ("tokenizer.json", "tokenizer.json")
    assert reported["left"].endswith("ours") and reported["right"].endswith("theirs")


def test_the_names_of_both_sides_are_on_the_page_and_in_the_terminal(report: Report) -> None:
    for form in ("terminal", "html"):
        shown = writer_for(form, None).write(report).partition("<script>")[0].replace("\n", "")
        assert "ours/tokenizer.json" in shown and "theirs/tokenizer.json" in shown
        assert ">?<" not in shown and " ?" not in shown


def test_ids_alone_are_drawn_without_a_name() -> None:
    found = two_rows("a", TokenRow("ours", [0], {0: "a"}), TokenRow("call:x", [7]))
    lines = [str(line).split() for line in evidence_lines(found, 80)]
    assert lines[1:5] == [
        ["ours", "a"],
        ["0"],
        ["call:x", "7"],
        ["▲", "first", "difference,", "token", "0"],
    ]
