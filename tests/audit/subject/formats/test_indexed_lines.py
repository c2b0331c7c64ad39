"""A vocab.txt that a model's own code indexes by line: which it is, and what is lost of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tokaudit
from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.formats import indexed_lines
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import readable
from tokaudit_folders.folder import Folder

CHECKS = ["vocab", "embeddings/stated-rows"]
TABLE = "ema_model__transformer__text_embed__text_embed__weight"
LINES = [" ", "!", ",", "A", "a", "b", "zhong1", "\u00e9", "\u4f60", "c", "d"]


def of_speech(lines: Sequence[str], rows: int | None = len(LINES) + 1, end: str = "\n") -> Folder:
    """A list of characters, and the table of a model that speaks them."""
    folder = Folder().file("vocab.txt", "\n".join(lines) + end)
    return folder if rows is None else folder.weights("model_1.safetensors", **{TABLE: (rows, 4)})


def said(folder: Folder, path: Path) -> list[str]:
    report = tokaudit.audit(folder.write(path), select=CHECKS, tier="quick")
    return sorted(
        finding.identity
        for result in report.results
        for finding in result.findings
        if str(finding.severity) == "error"
    )


def test_a_list_that_begins_with_a_space_is_read_by_line(tmp_path: Path) -> None:
    assert said(of_speech(LINES), tmp_path / "with") == []
    assert said(of_speech(LINES, None), tmp_path / "without") == []


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([line.strip() for line in LINES], ["vocab/stripped-lines:empty-line"]),
        (LINES[:4] + LINES[5:], ["embeddings/stated-rows:rows-of-line"]),
        (LINES[1:], ["embeddings/stated-rows:rows-of-line"]),
        ([*LINES, "e"], ["embeddings/stated-rows:rows-of-line"]),
        ([*LINES[:4], "A", *LINES[5:]], ["vocab/duplicate-entries:given-twice"]),
        ([*LINES[:4], "A", *LINES[4:]], ["vocab/duplicate-entries:given-twice"]),
    ],
)
def test_a_line_that_is_lost_stripped_or_written_twice_is_one_error(
    tmp_path: Path, lines: list[str], expected: list[str]
) -> None:
    assert said(of_speech(lines), tmp_path) == expected


def test_a_last_line_without_an_end_loses_its_character(tmp_path: Path) -> None:
    assert said(of_speech(LINES, end=""), tmp_path) == ["vocab/stripped-lines:empty-line"]


def test_line_ends_of_windows_are_no_part_of_an_entry(tmp_path: Path) -> None:
    folder = of_speech([])
    lines = "\r\n".join(LINES) + "\r\n"
    assert said(folder.file("vocab.txt", lines), tmp_path) == []


@pytest.mark.parametrize("lines", [["0", "1", "2"], ["the", "of", "and"]])
def test_a_list_of_words_is_still_no_tokenizer(tmp_path: Path, lines: list[str]) -> None:
    with pytest.raises(UnreadableError, match=r"holds no \[UNK\]"):
        tokaudit.audit(of_speech(lines, None).write(tmp_path), tier="quick")


def test_a_list_with_an_unknown_token_is_a_wordpiece(tmp_path: Path) -> None:
    path = of_speech([" ", "[UNK]", "a"], None).write(tmp_path)
    [(_, spec)] = readable(open_subject(path)).parsed
    assert spec.format == "vocab.txt"


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(st.characters(exclude_characters="\r\n", codec="utf-8"), max_size=3)))
def test_ids_are_those_that_the_code_of_the_model_gives(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    path = tmp_path_factory.mktemp("lines")
    of_speech([" ", *lines], None).write(path)
    with (path / "vocab.txt").open(encoding="utf-8") as file:
        by_library = {line[:-1]: id for id, line in enumerate(file)}
    subject = open_subject(path)
    spec = indexed_lines.parse(subject, subject.files[0])
    assert {piece.value: id for id, piece in spec.pieces.items()} == by_library
