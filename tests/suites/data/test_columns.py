"""Labels, masks, positions and rollouts next to ids: what does not fit them is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from id_scans import findings, identities, scan_of

from tokaudit_folders.id_files import json_lines, parquet

Rows = list[list[int]]
Column = Callable[[Rows], list[list[int]]]


def masked(row: list[int]) -> list[int]:
    """Labels of all but the first ten ids."""
    return [-100] * 10 + row[10:]


SOUND: dict[str, Column] = {
    "labels": lambda rows: [masked(row) for row in rows],
    "attention_mask": lambda rows: [[1] * len(row) for row in rows],
    "position_ids": lambda rows: [list(range(len(row))) for row in rows],
}
FAULTS: dict[str, tuple[str, Column, str]] = {
    "shifted": ("labels", lambda rows: [[*row[1:], -100] for row in rows], "labels-shifted"),
    "other ids": ("labels", lambda rows: [[*row[:20], 7, *row[21:]] for row in rows], "label-other"),
    "none": ("labels", lambda rows: [[-100] * len(row) for row in rows], "labels-none"),
    "the end is left out": (
        "labels", lambda rows: [[*masked(row)[:-1], -100] for row in rows], "end-not-learned"),
    "some with the prompt": (
        "labels", lambda rows: [row if at % 9 == 0 else masked(row) for at, row in enumerate(rows)],
        "labels-all"),
    "texts are masked": (
        "attention_mask", lambda rows: [[0] + [1] * (len(row) - 1) for row in rows],
        "mask-off-text"),
    "positions from 1": (
        "position_ids", lambda rows: [list(range(1, len(row) + 1)) for row in rows],
        "position-jump"),
    "positions jump": (
        "position_ids", lambda rows: [[*range(9), *range(11, len(row) + 2)] for row in rows],
        "position-jump"),
}  # fmt: skip


@pytest.mark.parametrize("write", [json_lines, parquet], ids=["jsonl", "parquet"])
def test_columns_that_fit_have_no_finding(
    write: Callable[..., None], rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    name = f"ids.{'jsonl' if write is json_lines else 'parquet'}"
    write(tmp_path / name, rows, **{key: make(rows) for key, make in SOUND.items()})
    assert findings(scan_of(tmp_path, tokenizer)) == []


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("write", [json_lines, parquet], ids=["jsonl", "parquet"])
def test_a_column_that_does_not_fit_is_found(
    write: Callable[..., None], fault: str, rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    column, make, cause = FAULTS[fault]
    name = f"ids.{'jsonl' if write is json_lines else 'parquet'}"
    write(tmp_path / name, rows, **{column: make(rows)})
    assert f"data/labels:{cause}" in identities(scan_of(tmp_path, tokenizer))


def test_a_column_that_is_too_short_is_named_with_its_row(
    rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    labels = [row if at != 7 else row[:-1] for at, row in enumerate(rows)]
    json_lines(tmp_path / "ids.jsonl", rows, labels=labels)
    found = findings(scan_of(tmp_path, tokenizer))
    [short] = [each for each in found if each.check == "data/labels"]
    count = len(rows[7])
    assert short.message == (
        f"ids.jsonl, document 7: labels has {count - 1} entries for {count} ids"
    )


def test_a_line_that_is_not_json_is_named(rows: Rows, tokenizer: Path, tmp_path: Path) -> None:
    json_lines(tmp_path / "ids.jsonl", rows)
    lines = (tmp_path / "ids.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "ids.jsonl").write_bytes(b"".join([*lines[:3], b"{]\n", *lines[3:]]))
    found = findings(scan_of(tmp_path, tokenizer))
    assert found[0].message.startswith("ids.jsonl, document 3: the line is not JSON with ids")


def rollouts(path: Path, rows: Rows, **columns: list[list[float]]) -> None:
    """Records of a prompt and a response."""
    import json

    lines = [
        {"prompt_ids": row[:10], "response_ids": row[10:], **{k: v[at] for k, v in columns.items()}}
        for at, row in enumerate(rows)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_responses_that_are_no_own_encoding_are_a_note(
    rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    sampled = [[*row[:15], *b"ab"[:0], 39, 40, *row[15:]] for row in rows]
    spelled = [[*row[:12], *(67, 68, 69), *row[12:]] for row in sampled]
    rollouts(tmp_path / "a.jsonl", spelled)
    found = findings(scan_of(tmp_path, tokenizer))
    assert {(each.identity, str(each.severity)) for each in found} <= {
        ("data/own-encoding:sampled", "info"),
        ("data/own-encoding:cut", "info"),
    }


def test_logprobs_are_as_many_as_the_response(rows: Rows, tokenizer: Path, tmp_path: Path) -> None:
    rollouts(tmp_path / "a.jsonl", rows, logprobs=[[-1.0] * (len(row) - 10) for row in rows])
    assert identities(scan_of(tmp_path, tokenizer)) == set()
    rollouts(tmp_path / "a.jsonl", rows, logprobs=[[-1.0] * (len(row) - 11) for row in rows])
    assert identities(scan_of(tmp_path, tokenizer)) == {"data/whole:length"}
