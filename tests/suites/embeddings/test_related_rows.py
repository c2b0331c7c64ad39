"""Rows of words and of their plurals, which are near each other wherever a model was trained."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Finding, Severity
from tokaudit.subject.weights.rows import MOST_BYTES
from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
CHECK, NAME, WIDTH = "embeddings/related-rows", "model.embed_tokens.weight", 32
STEMS = [f"{a}{b}{c}{d}" for a in "bdfgkl" for b in "aeiou" for c in "nmrt" for d in "oa"]
ORDER = Random(1).sample([w + e for w in STEMS for e in ("", "s")], 2 * len(STEMS))
WORDS = {word: id for id, word in enumerate(ORDER)}


def rows(*, related: bool = True) -> list[bytes]:
    """A row for each word, near that of its plural, and every second word near another."""
    draw = Random(3)
    around = {w: [draw.gauss(0, 1) for _ in range(WIDTH)] for w in STEMS}
    for one, other in zip(STEMS[::2], STEMS[1::2], strict=True):
        around[other] = [a + draw.gauss(0, 0.4) for a in around[one]]
    found = []
    for word in ORDER:
        own = around[word.removesuffix("s")] if related else [0.0] * WIDTH
        spread = 0.3 if related else 1
        found.append(struct.pack(f"<{WIDTH}f", *(n + draw.gauss(0, spread) for n in own)))
    return found


def said(ask: Ask, path: Path, matrix: list[bytes]) -> list[Finding]:
    """The findings of a folder with these rows."""
    shape, size = [len(matrix), WIDTH], 4 * WIDTH * len(matrix)
    text = json.dumps({NAME: {"dtype": "F32", "shape": shape, "data_offsets": [0, size]}}).encode()
    whole = struct.pack("<Q", len(text)) + text + b"".join(matrix)
    model = {"type": "WordLevel", "vocab": WORDS, "unk_token": "bano"}
    folder = Folder({"version": "1.0", "added_tokens": [], "model": model})
    found = ask(CHECK, folder.file("model.safetensors", whole).write(path))
    return [each for each in found if isinstance(each, Finding)]


def test_rows_at_the_ids_of_their_tokens_are_fine(tmp_path: Path, ask: Ask) -> None:
    assert said(ask, tmp_path, rows()) == []


@pytest.mark.parametrize(("by", "words"), [(1, "1 before"), (3, "3 before"), (-2, "2 after")])
def test_rows_that_all_moved_are_a_warning_that_says_how_far(
    tmp_path: Path, ask: Ask, by: int, words: str
) -> None:
    (found,) = said(ask, tmp_path, rows()[by:] + rows()[:by])
    assert (found.severity, found.cause) == (Severity.WARNING, "moved")
    assert f"for all ids are {words} the ids of their tokens" in found.message


def test_a_row_that_was_lost_in_the_middle_moves_those_after_it(tmp_path: Path, ask: Ask) -> None:
    matrix = rows()
    half = len(matrix) // 2
    (found,) = said(ask, tmp_path, matrix[:half] + matrix[half + 1 :] + matrix[:1])
    assert "are 1 before the ids of their tokens" in found.message
    assert "for ids around" in found.message


def test_trained_rows_in_an_order_of_their_own_are_a_warning(tmp_path: Path, ask: Ask) -> None:
    matrix = rows()
    (found,) = said(ask, tmp_path, Random(5).sample(matrix, len(matrix)))
    assert (found.severity, found.cause) == (Severity.WARNING, "unrelated")


def test_rows_that_nobody_trained_show_nothing(tmp_path: Path, ask: Ask) -> None:
    assert said(ask, tmp_path, rows(related=False)) == []


def test_a_vocabulary_without_plurals_is_not_judged(folder: Path, ask: Ask) -> None:
    with pytest.raises(NotApplicable):
        ask(CHECK, folder)


TIMES, HEIGHT = 32, 20_000  # each number so often, and so many rows: 78 MiB, most of it a hole


def said_of_large(ask: Ask, path: Path, matrix: list[bytes]) -> list[Finding]:
    """The findings where these rows are the first of a matrix too large to be read whole."""
    size = 4 * WIDTH * TIMES * HEIGHT
    assert size > MOST_BYTES
    entry = {"dtype": "F32", "shape": [HEIGHT, WIDTH * TIMES], "data_offsets": [0, size]}
    text = json.dumps({NAME: entry}).encode()
    wide = [b"".join(row[at : at + 4] * TIMES for at in range(0, len(row), 4)) for row in matrix]
    model = {"type": "WordLevel", "vocab": WORDS, "unk_token": "bano"}
    Folder({"version": "1.0", "added_tokens": [], "model": model}).write(path)
    with (path / "model.safetensors").open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(wide))
        file.truncate(8 + len(text) + size)
    return [each for each in ask(CHECK, path) if isinstance(each, Finding)]


def test_rows_of_a_large_matrix_at_their_ids_are_fine(tmp_path: Path, ask: Ask) -> None:
    assert said_of_large(ask, tmp_path, rows()) == []


@pytest.mark.parametrize(("by", "words"), [(3, "3 before"), (-2, "2 after")])
def test_rows_of_a_large_matrix_that_moved_are_found_around_their_ids(
    tmp_path: Path, ask: Ask, by: int, words: str
) -> None:
    (found,) = said_of_large(ask, tmp_path, rows()[by:] + rows()[:by])
    assert (found.severity, found.cause) == (Severity.WARNING, "moved")
    assert f"for all ids are {words} the ids of their tokens" in found.message
