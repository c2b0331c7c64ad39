"""Ids by rank next to the own encoding of their text, by role in each shard, and their severity."""

from __future__ import annotations

from pathlib import Path

import pytest
from id_scans import findings, scan_of
from small_ids import END, small_folder

from tokaudit.engine.check import all_checks
from tokaudit.products.data.ids.counts.tally import Event, Sign, Tally
from tokaudit.products.data.ids.plan import Expected
from tokaudit.report.model import Measurement
from tokaudit_folders.folder import Folder
from tokaudit_folders.id_files import datatrove, json_lines
from tokaudit_suites.data.distribution import ids_by_role, shares_of_roles

Rows = list[list[int]]


def measured(data: Path, tokenizer: Path, key: str) -> list[Measurement]:
    check = next(each for each in all_checks() if each.id == "data/distribution")
    said = check.function(scan_of(data, tokenizer))
    return [each for each in said if isinstance(each, Measurement) and each.key == key]


def by_rank(data: Path, tokenizer: Path) -> dict[str, dict[int, float]]:
    found: dict[str, dict[int, float]] = {}
    for each in measured(data, tokenizer, "data/ids_by_rank"):
        ranks = found.setdefault(each.dimensions["ids"], {})
        ranks[int(each.dimensions["rank"])] = each.value * each.n
    return found


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    """Eight letters, `ab` as id 8 and `abc` as id 9, and an end of text."""
    folder = Folder.bpe("abcdefgh", ["a b", "ab c"]).added(END).tokenizer_config(eos_token=END)
    return folder.write(tmp_path / "letters")


def test_ids_of_this_tokenizer_have_the_ranks_of_their_own_encoding(
    letters: Path, tmp_path: Path
) -> None:
    json_lines(tmp_path / "ids.jsonl", [[0, 3, 7, 9, 10]])  # a d h abc and the end
    expected = {1: 1.0, 4: 1.0, 8: 2.0}
    assert by_rank(tmp_path, letters) == {"on disk": expected, "own encoding": expected}


def test_ids_of_another_tokenizer_have_other_ranks_than_the_encoding_of_their_text(
    letters: Path, tmp_path: Path
) -> None:
    json_lines(tmp_path / "ids.jsonl", [[0, 1, 2, 10]])  # a b c, which is abc
    assert by_rank(tmp_path, letters) == {
        "on disk": {1: 1.0, 2: 2.0},
        "own encoding": {8: 1.0},
    }


def test_each_id_has_one_role_and_the_shares_of_a_shard_add_up_to_one() -> None:
    expected = Expected(
        20, begin=(1,), end=(1, 2), pad=(3,), reserved=(4,), holes=(5,), special=(1, 6), part=(7,)
    )
    tally = Tally(ids=20, counts={1: 2, 2: 1, 4: 1, 6: 1, 7: 2, 8: 3, 9: 8})
    tally.events[Sign.OUTSIDE] = Event(2)
    assert shares_of_roles(tally, ids_by_role(expected)) == {
        "ordinary": 0.55,
        "beginning, end": 0.1,
        "end": 0.05,
        "reserved": 0.05,
        "other special": 0.05,
        "bytes of characters": 0.1,
        "outside": 0.1,
    }


def test_the_share_of_a_role_is_measured_in_each_shard(letters: Path, tmp_path: Path) -> None:
    json_lines(tmp_path / "a.jsonl", [[0, 3, 4, 10]])
    json_lines(tmp_path / "b.jsonl", [[0, 3, 4, 5]])
    found = measured(tmp_path, letters, "data/share_of_roles_by_shard")
    assert [(*each.dimensions.values(), each.value) for each in found] == [
        ("ordinary", "a.jsonl", 0.75),
        ("end", "a.jsonl", 0.25),
        ("ordinary", "b.jsonl", 1.0),
        ("end", "b.jsonl", 0.0),
    ]


def test_of_one_shard_the_roles_are_measured_once(letters: Path, tmp_path: Path) -> None:
    json_lines(tmp_path / "a.jsonl", [[0, 3, 4, 10]])
    assert measured(tmp_path, letters, "data/share_of_roles_by_shard") == []
    assert len(measured(tmp_path, letters, "data/share_of_roles")) == 2


def severities(data: Path, tokenizer: Path) -> dict[str, str]:
    return {each.identity: str(each.severity) for each in findings(scan_of(data, tokenizer))}


def test_texts_that_are_not_utf_8_are_an_error_from_a_tenth_of_documents_on(
    tokenizer: Path, rows: Rows, tmp_path: Path
) -> None:
    lead = small_folder().vocab["Ã"]  # the byte that begins a letter with an accent
    broken = [[*row[:3], lead, *row[3:]] for row in rows if len(row) > 9]
    datatrove(tmp_path / "ids.ds", [*broken[:5], *rows[5:]])
    assert severities(tmp_path, tokenizer)["data/own-encoding:not-utf-8"] == "warning"
    datatrove(tmp_path / "ids.ds", [*broken[:6], *rows[6:60]])
    assert severities(tmp_path, tokenizer)["data/own-encoding:not-utf-8"] == "error"


def test_rows_that_begin_in_the_middle_of_a_character_are_cut(
    tokenizer: Path, rows: Rows, tmp_path: Path
) -> None:
    second = small_folder().vocab["©"]  # the byte that ends one
    datatrove(tmp_path / "ids.ds", [[second, *row] for row in rows])
    assert severities(tmp_path, tokenizer) == {"data/own-encoding:cut": "info"}
