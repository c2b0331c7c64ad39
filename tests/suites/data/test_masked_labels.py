"""Labels as masked language models learn them are information; labels of other text an error."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from id_scans import findings, identities, scan_of
from small_ids import END, documents, small_folder, texts
from tokenizers import Tokenizer

from tokaudit_folders.folder import Folder
from tokaudit_folders.id_files import json_lines

Row = list[int]
MASK = 8193
LABELLED, RANDOM_FROM, KEPT_FROM = 0.15, 0.8, 0.9


@pytest.fixture(scope="session")
def with_mask(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small tokenizer with a mask token."""
    folder = Folder(json.loads(small_folder().text())).added("[MASK]")
    folder.tokenizer_config(tokenizer_class="BertTokenizer", eos_token=END, mask_token="[MASK]")
    return folder.write(tmp_path_factory.mktemp("masked"))


def masked(rows: list[Row]) -> tuple[list[Row], list[Row]]:
    """Ids and labels as collators of masked language models make them."""
    draw = random.Random(1)
    ids, labels = [list(row) for row in rows], [[-100] * len(row) for row in rows]
    for number, row in enumerate(rows):
        for place, id in enumerate(row[:-1]):
            if draw.random() < LABELLED:
                labels[number][place] = id
                what = draw.random()
                if what < KEPT_FROM:
                    ids[number][place] = MASK if what < RANDOM_FROM else draw.randrange(8000)
    return ids, labels


@pytest.fixture
def masked_rows() -> tuple[list[Row], list[Row]]:
    """Some 240 documents, the last ten of many sentences."""
    library = Tokenizer.from_str(small_folder().text())
    long = [" ".join(texts(200)[at : at + 20]) for at in range(0, 200, 20)]
    rows = [row for row in documents(600) if len(row) > 1]
    return masked([*rows, *([*library.encode(text).ids, 8192] for text in long)])


def test_labels_of_masks_are_information(
    masked_rows: tuple[list[Row], list[Row]], with_mask: Path, tmp_path: Path
) -> None:
    ids, labels = masked_rows
    json_lines(tmp_path / "ids.jsonl", ids, labels=labels)
    [found] = findings(scan_of(tmp_path, with_mask))
    assert (found.identity, str(found.severity)) == ("data/labels:label-of-mask", "info")
    assert found.message == (
        "2,102 of 2,607 (80.6 %) labels are of ids that the mask token replaces, as masked language "
        "models learn them; of the others 251 are the id of their place and 254 are not. Documents "
        "are decoded with labels in place of masked ids; the first: ids.jsonl, document 0, position 1, "
        "where the id is 8193"
    )


def test_labels_of_other_rows_are_found(
    masked_rows: tuple[list[Row], list[Row]], with_mask: Path, tmp_path: Path
) -> None:
    ids, labels = masked_rows
    moved = [
        (other * len(row))[: len(row)]
        for row, other in zip(ids, [*labels[1:], labels[0]], strict=True)
    ]
    json_lines(tmp_path / "ids.jsonl", ids, labels=moved)
    assert "data/labels:label-other" in identities(scan_of(tmp_path, with_mask))


def test_one_row_with_labels_of_another_text_is_found_among_masks(
    masked_rows: tuple[list[Row], list[Row]], with_mask: Path, tmp_path: Path
) -> None:
    ids, labels = masked_rows
    labels[-1] = [-100, *labels[-1][:-1]]
    json_lines(tmp_path / "ids.jsonl", ids, labels=labels)
    assert identities(scan_of(tmp_path, with_mask)) == {
        "data/labels:labels-astray",
        "data/own-encoding:not-utf-8",  # of that row, which its labels do not make whole
    }


def test_a_mask_among_labels_of_the_ids_themselves_is_found(
    with_mask: Path, tmp_path: Path
) -> None:
    rows = documents()[:30]
    ids = [[*row[:3], MASK, *row[4:]] for row in rows]
    json_lines(tmp_path / "ids.jsonl", ids, labels=rows)
    assert "data/labels:label-other" in identities(scan_of(tmp_path, with_mask))


def test_without_a_mask_token_such_labels_are_found(
    masked_rows: tuple[list[Row], list[Row]], tokenizer: Path, tmp_path: Path
) -> None:
    ids, labels = masked_rows
    ids = [[0 if id == MASK else id for id in row] for row in ids]
    json_lines(tmp_path / "ids.jsonl", ids, labels=labels)
    assert "data/labels:label-other" in identities(scan_of(tmp_path, tokenizer))


def test_rows_without_a_label_are_found_among_masks_where_they_are_most(
    masked_rows: tuple[list[Row], list[Row]], with_mask: Path, tmp_path: Path
) -> None:
    ids, labels = masked_rows
    json_lines(
        tmp_path / "ids.jsonl",
        ids,
        labels=[[-100] * len(row) for row in labels[:150]] + labels[150:],
    )
    assert "data/labels:labels-none" in identities(scan_of(tmp_path, with_mask))
