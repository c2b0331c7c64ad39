"""The page of findings on runtimes: its matrix, versions of Unicode, and refusals."""

from __future__ import annotations

from tokaudit.report.comparison import Comparison, Relation
from tokaudit.report.recorded import RuntimeRecord, RuntimeState
from tokaudit_runtimes.page import page


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


def test_a_refusal_names_the_tokenizers_and_the_words_in_one_row() -> None:
    assert r"| fir | oak, elm | refuses: no such \| model 'x' |" in LINES
