"""Ids as training code keeps them: packed, cut, padded on either side; and what is wrong in them."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from id_scans import findings, identities, scan_of
from small_ids import END, documents, small_folder

from tokaudit.foundation.errors import UnreadableError
from tokaudit.products.data.files.files import IdDescription
from tokaudit.products.data.files.opening import open_data
from tokaudit_folders.folder import Folder
from tokaudit_folders.id_files import arrow, flat, json_lines, megatron

Rows = list[list[int]]
LAST = small_folder().vocab[END]
BEGIN, PAD = LAST + 1, LAST + 2
LONG = 64  # ids of a packed row


@dataclass(frozen=True)
class Table:
    """Rows of ids and the columns next to them."""

    ids: Sequence[Sequence[int]]
    columns: dict[str, Any] = field(default_factory=dict)

    def write(self, path: Path) -> None:
        """As JSON lines."""
        json_lines(path, self.ids, **self.columns)


def with_roles(**roles: str) -> Folder:
    folder = Folder(json.loads(small_folder().text())).added("<s>").added("<pad>")
    return folder.tokenizer_config(tokenizer_class="PreTrainedTokenizerFast", **roles)


@pytest.fixture(scope="module")
def tokenizers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """An end alone; an end, a beginning and padding; an end that pads too."""
    folders = {
        "end": with_roles(eos_token=END),
        "all": with_roles(eos_token=END, bos_token="<s>", pad_token="<pad>"),
        "end pads": with_roles(eos_token=END, pad_token=END),
    }
    made = tmp_path_factory.mktemp("roles")
    return {name: folder.write(made / name) for name, folder in folders.items()}


def packed(rows: Rows, length: int = LONG) -> Rows:
    ids = [id for row in rows for id in row]
    return [ids[at : at + length] for at in range(0, len(ids) - length + 1, length)]


def cut(rows: Rows) -> Rows:
    """Texts of five documents each in rows of at most a hundred ids."""
    long = [[id for row in rows[at : at + 5] for id in row[:-1]] for at in range(0, len(rows), 5)]
    return [[*row, LAST][at : at + 100] for row in long for at in range(0, len(row) + 1, 100)]


def padded(rows: Rows, by: int, *, left: bool, text: int = 0) -> Table:
    """Rows of one length with mask and labels; of a text no label is before some place."""
    longest = max(map(len, rows))

    def row(inner: list[int], outer: int) -> list[int]:
        filled = [outer] * (longest - len(inner))
        return [*filled, *inner] if left else [*inner, *filled]

    return Table(
        [row(each, by) for each in rows],
        {
            "attention_mask": [row([1] * len(each), 0) for each in rows],
            "labels": [row([-100] * text + each[text:], -100) for each in rows],
        },
    )


HEALTHY: dict[str, tuple[str, Callable[[Rows], Table]]] = {
    "packed rows": ("end", lambda rows: Table(packed(rows))),
    "packed rows, the last short": ("end", lambda rows: Table([*packed(rows), rows[-1][-9:]])),
    "packed rows with beginnings": (
        "all",
        lambda rows: Table(packed([[BEGIN, *row] for row in rows])),
    ),
    "long texts cut into rows": ("end", lambda rows: Table(cut(rows))),
    "rows cut at a length": ("end", lambda rows: Table([row[:40] for row in rows])),
    "padded on the right": ("all", lambda rows: padded(rows, PAD, left=False)),
    "padded on the left": ("all", lambda rows: padded(rows, PAD, left=True)),
    "padded on the right by the end": ("end pads", lambda rows: padded(rows, LAST, left=False)),
    "padded on the left by the end": ("end pads", lambda rows: padded(rows, LAST, left=True)),
    "padded by an end that is not declared": ("end", lambda rows: padded(rows, LAST, left=False)),
    "prompts without labels": ("all", lambda rows: padded(rows, PAD, left=False, text=5)),
}
FAULTY: dict[str, tuple[str, Callable[[Rows], Table], str]] = {
    "packed without an end between": (
        "end",
        lambda rows: Table(packed([row[:-1] for row in rows])),
        "data/boundaries:no-end",
    ),
    "some lack an end, of every length": (
        "end",
        lambda rows: Table([row if at % 4 else row[:-1] for at, row in enumerate(rows)]),
        "data/boundaries:end-is-mixed",
    ),
    "some lack an end before padding": (
        "all",
        lambda rows: padded(
            [row if at % 4 else row[:-1] for at, row in enumerate(rows)], PAD, left=False
        ),
        "data/boundaries:end-is-mixed",
    ),
    "an end twice": (
        "end pads",
        lambda rows: Table([[*row, LAST] for row in rows]),
        "data/boundaries:ends-twice",
    ),
    "an end twice before padding": (
        "all",
        lambda rows: padded([[*row, LAST] for row in rows], PAD, left=False),
        "data/boundaries:ends-twice",
    ),
    "no end has a label, as it pads": (
        "end pads",
        lambda rows: Table(
            padded(rows, LAST, left=False).ids,
            {
                "labels": [
                    [-100 if id == LAST else id for id in row]
                    for row in padded(rows, LAST, left=False).ids
                ]
            },
        ),
        "data/labels:end-not-learned",
    ),
}


@pytest.mark.parametrize("case", HEALTHY)
def test_what_training_code_writes_is_no_finding(
    case: str, tokenizers: dict[str, Path], tmp_path: Path
) -> None:
    roles, made = HEALTHY[case]
    table = made(documents())
    table.write(tmp_path / "ids.jsonl")
    assert identities(scan_of(tmp_path, tokenizers[roles])) == set()


@pytest.mark.parametrize("case", FAULTY)
def test_what_is_wrong_in_it_is_found(
    case: str, tokenizers: dict[str, Path], tmp_path: Path
) -> None:
    roles, made, identity = FAULTY[case]
    table = made(documents())
    table.write(tmp_path / "ids.jsonl")
    assert identities(scan_of(tmp_path, tokenizers[roles])) == {identity}


def test_rows_that_are_cut_are_named_as_such(tokenizers: dict[str, Path], tmp_path: Path) -> None:
    json_lines(tmp_path / "ids.jsonl", packed(documents()))
    [one] = findings(scan_of(tmp_path, tokenizers["end"]))
    assert one.severity == "info"
    assert one.message.startswith(
        f"no document ends with {END!r} (id {LAST}); those that do not are as long as the longest, "
        "as rows that cut texts are"
    )


def test_labels_of_a_decoder_are_another_text_than_the_ids_of_its_encoder(
    tokenizers: dict[str, Path], tmp_path: Path
) -> None:
    rows = documents()
    json_lines(tmp_path / "ids.jsonl", rows, labels=[*rows[1:], rows[0]])
    [one] = findings(scan_of(tmp_path, tokenizers["end"]))
    assert (one.identity, str(one.severity)) == ("data/labels:labels-unlike", "info")
    assert "rows have more or fewer labels than ids, as where a decoder learns" in one.message


@pytest.mark.parametrize(("before", "expected"), [(32, "cut"), (31, "two ways")])
def test_other_ids_at_the_beginning_are_cut_only_after_a_row_that_is_full(
    before: int, expected: str, tokenizers: dict[str, Path], tmp_path: Path
) -> None:
    row = next(each for each in documents() if len(each) >= 40)
    names = {id: token for token, id in small_folder().vocab.items()}
    torn = [*(small_folder().vocab[letter] for letter in names[row[0]]), *row[1:20], LAST]
    assert len(torn) > 21  # a token in letters, as none but the end of a longer text has it
    json_lines(tmp_path / "ids.jsonl", [row[:32], row[:before], torn, row[:32]])
    causes = {each.cause for each in findings(scan_of(tmp_path, tokenizers["end"]))}
    assert causes & {"cut", "other", "two ways"} == {expected}


def test_the_folder_that_save_to_disk_makes_is_read(
    tokenizers: dict[str, Path], tmp_path: Path
) -> None:
    arrow(tmp_path / "data-00000-of-00001.arrow", documents())
    (tmp_path / "state.json").write_text('{"_data_files": []}')
    (tmp_path / "dataset_info.json").write_text('{\n  "features": {"input_ids": {}}\n}')
    scan = scan_of(tmp_path, tokenizers["end"])
    assert (identities(scan), scan.total.documents) == (set(), 60)
    assert sorted(scan.others) == ["dataset_info.json", "state.json"]


def test_modes_at_the_end_of_an_index_of_megatron_are_left_alone(
    tokenizers: dict[str, Path], tmp_path: Path
) -> None:
    megatron(tmp_path / "ids.bin", documents())
    index = tmp_path / "ids.idx"
    index.write_bytes(index.read_bytes() + bytes(60))  # one for each sequence
    assert identities(scan_of(tmp_path, tokenizers["end"])) == set()


def lit_gpt(count: int) -> bytes:
    return b"LITPKDS" + struct.pack("<QBQ", 1, 8, count)


def test_ids_in_the_format_of_lit_gpt_are_read(tokenizers: dict[str, Path], tmp_path: Path) -> None:
    rows = documents()
    count = sum(map(len, rows))
    (tmp_path / "ids.bin").write_bytes(lit_gpt(count) + flat(rows))
    scan = scan_of(tmp_path, tokenizers["end"])
    assert (identities(scan), scan.total.ids) == (set(), count)
    (tmp_path / "ids.bin").write_bytes(lit_gpt(count + 1) + flat(rows))
    assert identities(scan_of(tmp_path, tokenizers["end"])) == {"data/whole:count"}
    (tmp_path / "ids.bin").write_bytes(lit_gpt(1 << 63)[:-9] + b"\7" + bytes(8))
    [(_, why)] = open_data([tmp_path], IdDescription()).unreadable
    assert why.startswith(
        "ids.bin: the header states version 1 and type code 7; tokaudit reads version 1"
    )


def test_chunks_of_litdata_are_refused_by_their_name(tmp_path: Path) -> None:
    (tmp_path / "chunk-0-0.bin").write_bytes(flat(documents()))
    (tmp_path / "index.json").write_text('{"chunks": [], "config": {"data_format": ["bytes"]}}')
    [(_, why)] = open_data([tmp_path], IdDescription()).unreadable
    assert why.startswith("chunk-0-0.bin: this litdata chunk has items of type")


@pytest.mark.parametrize("name", ["ids.npz", "ids.tar", "ids.txt"])
def test_what_no_format_reads_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"PK\3\4")
    with pytest.raises(UnreadableError, match="no file contains ids that tokaudit can read"):
        open_data([tmp_path], IdDescription())
