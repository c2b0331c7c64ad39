"""A comparison keeps how both references encode the texts on which the sides differ."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from processes import starts_processes

import tokaudit
from tokaudit.products.compare.work import traces
from tokaudit.report.model import TokenView
from tokaudit.report.recorded import TracedBySides, TracedPart, TracedPiece
from tokaudit.report.report import Report
from tokaudit_folders.folder import Folder

VOCAB = {"a": 0, "b": 1, "c": 2, "ab": 3, "abc": 4}


def folder(path: Path, merges: list[list[str]], **more: Any) -> Path:
    return Folder.bpe(VOCAB, merges).changed(**more).write(path)


def stages(merges: tuple[tuple[str, str], ...], *tokens: tuple[int, str]) -> tuple[TracedPart, ...]:
    views = tuple(TokenView(id, piece) for id, piece in tokens)
    return (TracedPart("abc", None, "abc", (TracedPiece("abc", merges, views),)),)


@pytest.fixture
@starts_processes
def compared(tmp_path: Path) -> Report:
    """Two tokenizers, of which the second lacks a merge."""
    whole = folder(tmp_path / "a", [["a", "b"], ["ab", "c"]])
    return tokaudit.compare(whole, folder(tmp_path / "b", [["a", "b"]]), tier="quick")


def test_the_text_that_differs_has_the_stages_of_both_sides(compared: Report) -> None:
    assert compared.comparison is not None
    assert compared.comparison.traces == (
        TracedBySides(
            "abc",
            stages((("a", "b"), ("ab", "c")), (4, "abc")),
            stages((("a", "b"),), (3, "ab"), (2, "c")),
        ),
    )


def test_they_are_kept_by_the_json(compared: Report) -> None:
    from tokaudit.report.reading import decode_report

    read = decode_report(compared.to_json()).comparison
    assert read is not None and compared.comparison is not None
    assert read.traces == compared.comparison.traces


def test_the_terminal_says_at_which_stage_the_sides_part(compared: Report) -> None:
    from tokaudit_reports.terminal import write

    assert "other merges: “ab + c” in" in write(compared, width=200)


def test_what_is_proved_the_same_has_none(tmp_path: Path, processes: None) -> None:
    both = [folder(tmp_path / name, [["a", "b"]]) for name in ("a", "b")]
    comparison = tokaudit.compare(*both, tier="quick").comparison
    assert comparison is not None and comparison.traces == ()


def test_many_comparisons_share_the_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    monkeypatch.setattr(traces, "MOST_TEXTS", 2)
    monkeypatch.setattr(traces, "FEWEST_TEXTS", 1)
    whole = folder(tmp_path / "a", [["a", "b"], ["ab", "c"]])
    added = {"id": 5, "content": "<x>", "single_word": False, "lstrip": False, "rstrip": False}
    added |= {"normalized": False, "special": True}
    others = [
        folder(
            tmp_path / name, [["a", "b"]], added_tokens=[added], normalizer={"type": "Lowercase"}
        )
        for name in ("b", "c")
    ]
    report = tokaudit.compare(whole, *others, tier="quick")
    assert report.comparison is not None
    found = [report.comparison, *report.further]
    assert [len([f for f in each.facets if f.evidence]) > 1 for each in found] == [True, True]
    assert [len(each.traces) for each in found] == [1, 1]
