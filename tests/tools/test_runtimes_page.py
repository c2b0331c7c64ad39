"""The page of findings on runtimes: its matrix, versions of Unicode, and refusals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tokaudit.report.comparison import Comparison, Facet, Outcome, Relation
from tokaudit.report.model import Evidence, TokenView
from tokaudit.report.recorded import RuntimeRecord, RuntimeState
from tokaudit_folders.folder import Folder
from tokaudit_runtimes.page import Cell, cells, page
from tokaudit_tools.kept import keep, kept


def cell(runtime: str, texts: int, record: RuntimeRecord) -> Comparison:
    relation = Relation.UNDIFFERING if texts else Relation.UNKNOWN
    return Comparison("oak", runtime, texts, 0, relation, runtime=record)


AGREES = RuntimeState.AGREES
KNOWS_ALL = RuntimeRecord("pine", AGREES, "pine 2", unicode="letters of Unicode 17.0 at least")
KNOWS_LESS = RuntimeRecord("pine", AGREES, "pine 2", unicode="letters of Unicode 16.0, without X")
REFUSES = RuntimeRecord("fir", RuntimeState.REFUSES, why="no such | model `x`")
FOUND = {
    ("oak", "pine"): cell("pine", 600, KNOWS_ALL),
    ("elm", "pine"): cell("pine", 600, KNOWS_LESS),
    ("oak", "fir"): cell("fir", 0, REFUSES),
    ("elm", "fir"): cell("fir", 0, REFUSES),
}
LINES = page(FOUND, {"oak": "pkg:oak"}).splitlines()


def test_cells_are_texts_that_agree_and_refusals_are_counted_apart() -> None:
    assert "| pine 2 | 600 | 600 |" in LINES
    assert "| fir | refuses | refuses |" in LINES
    assert any(
        "Of 4 pairs of a tokenizer and a runtime 2 were asked 500 texts or more" in line
        for line in LINES
    )


def test_the_answer_that_says_most_about_unicode_is_shown_once_for_a_runtime() -> None:
    assert [line for line in LINES if "Unicode 1" in line] == [
        "| pine 2 | letters of Unicode 16.0, without X |"
    ]


def test_a_difference_has_its_text_and_then_both_rows_of_tokens() -> None:
    evidence = Evidence(
        "text",
        text="a\n",
        expected=(TokenView(1, "a|"), TokenView(2, "b")),
        actual=(TokenView(3, "a`b"),),
        expected_label="by the file",
    )
    facet = Facet("split", Outcome.DIFFERS, "cut", evidence=(evidence,))
    differs = RuntimeRecord("pine", RuntimeState.DIFFERS, "pine 2")
    found = replace(cell("pine", 600, differs), facets=(facet,))
    lines = page({("oak", "pine"): found}, {}).splitlines()
    assert r"| pine 2 | split | oak | `a⏎` | `[a\|, b] → [a'b]` |" in lines


def test_a_refusal_names_the_tokenizers_and_the_words_in_one_row() -> None:
    assert r"| fir | oak, elm | refuses: no such \| model 'x' |" in LINES


def test_a_run_that_was_ended_in_the_middle_of_a_line_goes_on_after_the_cells_before(
    tmp_path: Path,
) -> None:
    file, cell = tmp_path / "cells", Cell("oak", "pine", FOUND["oak", "pine"])
    assert kept(file, Cell) == []
    keep(file, cell)
    whole = file.read_bytes()
    file.write_bytes(whole + whole[:40])
    assert kept(file, Cell) == [cell]
    keep(file, cell)
    assert kept(file, Cell) == [cell, cell]


def test_a_cell_that_is_kept_is_not_asked_again(tmp_path: Path) -> None:
    wanted = {"oak": str(Folder.bpe("ab ", ["a b"]).write(tmp_path))}
    earlier = [Cell("oak", "tokenizers", FOUND["oak", "pine"])]
    assert list(cells(["tokenizers", "tiktoken"], wanted, earlier)) == []
