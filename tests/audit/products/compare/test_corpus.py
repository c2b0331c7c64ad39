"""A user's documents are compared by ids, counted file by file, and the worst are shown small."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import jsonschema
import pytest

import tokaudit
from tokaudit.engine.corpus import documents as reading
from tokaudit.engine.corpus.documents import batches, documents
from tokaudit.foundation.errors import UnreadableError
from tokaudit.report.comparison import Comparison, CorpusSlice, Facet, Outcome, Relation
from tokaudit.report.model import Evidence
from tokaudit.shards import running
from tokaudit_folders.folder import Folder
from tokaudit_reports.arranged.order import corpus_texts
from tokaudit_reports.json_report import schema

Command = Callable[..., "CompletedProcess[str]"]
VOCAB = {token: id for id, token in enumerate(["a", "b", "c", "d", " ", "ab", "abc", "dd"])}
MERGES = [["a", "b"], ["ab", "c"], ["d", "d"]]


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., Path]:
    def write(name: str, merges: list[list[str]] = MERGES) -> Path:
        made = tmp_path / name
        made.mkdir()
        Folder.bpe(VOCAB, merges).write(made)
        return made

    return write


def test_documents_are_counted_and_the_worst_are_shown_small(
    folder: Callable[..., Path], tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    lines, out = tmp_path / "lines.txt", tmp_path / "out.json"
    lines.write_text("abc d\n\nab\nd abc abc abc\na b\n")
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"text": "ab"}\n"dd"\n{"content": "a\\nb"}\n')
    done = tokaudit_in_fork(
        *("compare", folder("one"), folder("other", MERGES[:1]), "--tier", "quick"),
        *("--corpus", lines, "--corpus", rows, "--out", out),
    )
    assert done.returncode == 1
    reported = json.loads(out.read_text())
    jsonschema.validate(reported, schema())
    first, second = reported["comparison"]["corpus"]
    assert (first["documents"], first["different"], first["failed"]) == (4, 2, 0)
    assert (first["left_tokens"], first["right_tokens"]) == (14, 18)
    assert (second["documents"], second["different"]) == (3, 1)
    assert [evidence["text"] for evidence in first["worst"]] == ["abc", "abc"]
    assert first["worst"][0]["note"].startswith("out of document 3; run by tokenizers ")
    (facet,) = [f for f in reported["comparison"]["facets"] if f["name"] == "corpus"]
    assert (facet["outcome"], facet["why"]) == ("differs", "3 of 7 documents have different ids")
    assert "2 of 4 documents differ (50.00%), 14 and 18 tokens, 0 not encoded" in (
        done.stderr.replace("\n  ", " ")
    )


def test_documents_without_a_difference_leave_the_relation(
    folder: Callable[..., Path], tmp_path: Path, processes: None
) -> None:
    (tmp_path / "lines.txt").write_text("ab\n")
    report = tokaudit.compare(
        folder("one"), folder("same"), tier="quick", corpus=[tmp_path / "lines.txt"]
    )
    assert report.comparison is not None and report.verdict == "pass"
    assert (str(report.comparison.relation), report.comparison.corpus[0].different) == ("same", 0)


@pytest.mark.parametrize("line", ["{", "7", '{"body": "a"}', '{"text": 7}'])
def test_a_line_of_other_json_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(f'"a"\n{line}\n')
    with pytest.raises(UnreadableError, match=r"rows\.jsonl: line 2 "):
        list(documents(path))


def test_batches_are_bounded_and_keep_the_order() -> None:
    texts = [str(number) for number in range(1_500)] + ["x" * 600_000, "y"]
    found = list(batches(iter(texts)))
    assert [len(batch) for batch in found] == [512, 512, 477, 1]
    assert [text for batch in found for text in batch] == texts


def test_a_text_that_was_shown_is_not_shown_again_for_another_document() -> None:
    one, other = Evidence("text", "a"), Evidence("text", "b")
    parts = tuple(
        CorpusSlice(name, 3, 3, 0, 3, 3, 3, worst=worst)
        for name, worst in (("1", (one, other, other)), ("2", (other, one)))
    )
    facet = Facet("corpus", Outcome.DIFFERS, "why", (), (one,))
    found = corpus_texts(
        Comparison("x", "y", 6, 6, Relation.DIFFERENT, facets=(facet,), corpus=parts)
    )
    assert [[each.text for each in worst] for _, worst in found] == [["b"], []]


@pytest.mark.parametrize("size", range(1, 12))
@pytest.mark.parametrize("longest", [3, 5, 100])
def test_pieces_of_any_size_hold_each_document_once_and_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, longest: int
) -> None:
    monkeypatch.setattr(reading, "LONGEST_LINE", longest)
    (tmp_path / "lines.txt").write_text("one\n\n two three\nx\r\nlast and long")
    whole = list(documents(tmp_path / "lines.txt"))
    monkeypatch.setattr(reading, "PIECE", size)
    assert list(documents(tmp_path / "lines.txt")) == whole


def test_a_line_that_is_not_json_is_named_by_its_number_in_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "PIECE", 7)
    (tmp_path / "a.jsonl").write_text('"a"\n' * 20 + "{\n")
    with pytest.raises(UnreadableError, match="line 21 is not JSON"):
        list(documents(tmp_path / "a.jsonl"))


def test_two_processes_compare_a_corpus_as_one_does(
    folder: Callable[..., Path], long_lines: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    monkeypatch.setattr(reading, "PIECE", 1_000_000)
    assert len(reading.tasks_of(long_lines)) > 2
    one, other = folder("one"), folder("other", MERGES[:1])
    first, second = (compared(one, other, long_lines, jobs=jobs) for jobs in (1, 2))
    assert first == second
    assert (first.documents, first.different) == (2000, 2000)


def test_finished_pieces_are_taken_where_the_sides_are_the_same(
    folder: Callable[..., Path],
    long_lines: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    processes: None,
) -> None:
    monkeypatch.setattr(reading, "PIECE", 1_000_000)
    one, other, kept = folder("one"), folder("other", MERGES[:1]), tmp_path / "kept"
    whole = compared(one, other, long_lines, resume=kept)
    pieces = len(list(kept.iterdir()))
    assert pieces > 1
    asked: list[int] = []
    run = running._run
    monkeypatch.setattr(
        running, "_run", lambda work, job, tasks, *how: run(work, job, _noted(asked, tasks), *how)
    )
    next(kept.iterdir()).unlink()
    assert compared(one, other, long_lines, resume=kept) == whole
    assert compared(one, folder("third", MERGES[:2]), long_lines, resume=kept) != whole
    assert asked == [1, pieces]


def _noted(asked: list[int], tasks: Any) -> Any:
    asked.append(len(tasks))
    return tasks


@pytest.fixture
def long_lines(tmp_path: Path) -> Path:
    """Documents of which a few make a piece."""
    lines = tmp_path / "lines.txt"
    with lines.open("w") as file:
        file.writelines(f"abc d {'ab' * (number % 9000)}\n" for number in range(2000))
    return lines


def compared(one: Path, other: Path, corpus: Path, **how: Any) -> CorpusSlice:
    """What a corpus shows of two."""
    found = tokaudit.compare(one, other, tier="quick", corpus=[corpus], **how).comparison
    assert found is not None
    return found.corpus[0]
