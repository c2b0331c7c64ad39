"""An index, a header or a length that contradicts the bytes is found, with the file."""

from __future__ import annotations

import shutil
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from id_scans import findings, identities, scan_of

from tokaudit_folders.id_files import MEGATRON, datatrove, json_lines, llm_c, megatron, npy, parquet

Rows = list[list[int]]
Spoil = Callable[[Path], None]


def cut(name: str, count: int) -> Spoil:
    """Take bytes off the end of a file."""
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:-count])


def numbers(name: str, dtype: str, start: int, change: Callable[[np.ndarray], None]) -> Spoil:
    """Change the numbers of a file from a byte on."""

    def spoil(folder: Path) -> None:
        data = (folder / name).read_bytes()
        table = np.frombuffer(data[start:], dtype).copy()
        change(table)
        (folder / name).write_bytes(data[:start] + table.tobytes())

    return spoil


def shifted(table: np.ndarray) -> None:
    """The ends of documents, one id later, apart from the last."""
    table[:-1] += 1


def swapped(table: np.ndarray) -> None:
    """Two ends of documents on each other's place."""
    table[3], table[4] = table[4], table[3]


CASES = {
    "datatrove, ids cut short": (datatrove, "ids.ds", cut("ids.ds", 10), "last-end"),
    "datatrove, half an id": (datatrove, "ids.ds", cut("ids.ds", 1), "size"),
    "datatrove, index cut short": (datatrove, "ids.ds", cut("ids.ds.index", 8), "last-end"),
    "datatrove, half an end": (datatrove, "ids.ds", cut("ids.ds.index", 3), "index-size"),
    "datatrove, ends out of order": (
        datatrove, "ids.ds", numbers("ids.ds.index", "<u8", 0, swapped), "order"),
    "datatrove, no index": (
        datatrove, "ids.ds", lambda folder: (folder / "ids.ds.index").unlink(), "index"),
    "datatrove, other count": (
        datatrove, "ids.ds",
        lambda folder: (folder / "ids.ds.metadata").write_text("small|2\n7\n7"), "count"),
    "datatrove, loss too short": (
        datatrove, "ids.ds", lambda folder: (folder / "ids.ds.loss").write_bytes(b"\1" * 9), "loss"),
    "megatron, ids cut short": (megatron, "ids.bin", cut("ids.bin", 10), "size"),
    "megatron, index cut short": (megatron, "ids.bin", cut("ids.idx", 8), "unreadable"),
    "megatron, a wrong length": (
        megatron, "ids.bin", numbers("ids.idx", "<i4", 34, lambda t: t.__setitem__(3, 7)),
        "pointer"),
    "megatron, a length below 0": (
        megatron, "ids.bin", numbers("ids.idx", "<i4", 34, lambda t: t.__setitem__(3, -7)),
        "length"),
    "megatron, bounds out of order": (
        megatron, "ids.bin", numbers("ids.idx", "<i8", 34 + 12 * 60, swapped), "documents"),
    "megatron, bounds stop early": (
        megatron, "ids.bin", numbers("ids.idx", "<i8", 34 + 12 * 60, lambda t: t.__setitem__(-1, 59)),
        "documents"),
    "megatron, no index": (
        megatron, "ids.bin", lambda folder: (folder / "ids.idx").write_bytes(b""), ""),
    "npy, cut short": (npy, "ids.npy", cut("ids.npy", 10), "size"),
    "llm.c, cut short": (llm_c, "ids.bin", cut("ids.bin", 10), "count"),
    "jsonl, last line breaks off": (json_lines, "ids.jsonl", cut("ids.jsonl", 9), "cut-off"),
    "jsonl.gz, cut short": (json_lines, "ids.jsonl.gz", cut("ids.jsonl.gz", 9), "unreadable"),
    "jsonl.zst, other bytes": (
        json_lines, "ids.jsonl.zst",
        numbers("ids.jsonl.zst", "u1", 40, lambda t: t.__setitem__(slice(0, 60), 7)), "unreadable"),
    "parquet, cut short": (parquet, "ids.parquet", cut("ids.parquet", 9), "unreadable"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_contradicts_the_bytes_is_named(
    case: str, rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    write, name, spoil, cause = CASES[case]
    write(tmp_path / name, rows)
    spoil(tmp_path)
    if cause:
        assert f"data/whole:{cause}" in identities(scan_of(tmp_path, tokenizer))


def test_ends_that_are_one_id_late_are_found_by_the_ends(
    rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    datatrove(tmp_path / "ids.ds", rows)
    numbers("ids.ds.index", "<u8", 0, shifted)(tmp_path)
    found = findings(scan_of(tmp_path, tokenizer))
    assert "data/boundaries:end-is-mixed" in {each.identity for each in found}


def test_a_shard_that_is_there_twice_is_named(rows: Rows, tokenizer: Path, tmp_path: Path) -> None:
    for name, part in (("a.ds", rows[:30]), ("b.ds", rows[30:])):
        datatrove(tmp_path / name, part)
    for suffix in (".ds", ".ds.index", ".ds.metadata"):
        shutil.copy(tmp_path / f"a{suffix}", tmp_path / f"c{suffix}")
    [found] = findings(scan_of(tmp_path, tokenizer))
    assert found.identity == "data/whole:twins"
    assert [place.file for place in found.places] == ["a.ds", "c.ds"]


def test_a_number_that_a_series_of_shards_leaves_out_is_named(
    rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    for number in (0, 1, 2, 3, 5, 6):
        datatrove(tmp_path / f"{number:05}.ds", rows[number * 8 : number * 8 + 8])
    [found] = findings(scan_of(tmp_path, tokenizer))
    assert found.message == ("the shards #.ds have the numbers 0 to 6 without 1 of them, such as 4")


def test_a_type_that_is_too_small_is_named(rows: Rows, tokenizer: Path, tmp_path: Path) -> None:
    flat = np.array([id % 256 for row in rows for id in row], "u1")
    np.save(tmp_path / "ids.npy", flat)
    found = {each.identity: each for each in findings(scan_of(tmp_path, tokenizer))}
    assert found["data/dtype:too-small"].message == (
        "ids.npy stores ids as uint8, which ends at 255; the tokenizer has ids up to 8,192, so "
        "7,937 tokens cannot be written"
    )


@pytest.mark.parametrize("stated", [1 << 63, (1 << 64) - 1, 1 << 40])
def test_an_index_whose_lengths_lie_is_one_line(
    stated: int, rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    megatron(tmp_path / "ids.bin", rows)
    head = MEGATRON.pack(b"MMIDIDX\0\0", 1, 8, stated, 61)
    index = tmp_path / "ids.idx"
    index.write_bytes(head + index.read_bytes()[34:])
    [found] = findings(scan_of(tmp_path, tokenizer))
    assert found.identity == "data/whole:unreadable"
    assert found.message.startswith(f"ids.idx: the header states {stated:,} sequences")
    assert "\n" not in found.message


def test_a_header_of_numpy_that_lies_is_one_line(tokenizer: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "ids.npy", np.zeros(9, "<u2"))
    data = (tmp_path / "ids.npy").read_bytes()
    (tmp_path / "ids.npy").write_bytes(data.replace(b"(9,), }", b"(9<<9,)"))
    [found] = findings(scan_of(tmp_path, tokenizer))
    assert found.identity == "data/whole:unreadable"
    large = data.replace(b"(9,), }            ", b"(999999999999,), } ")
    (tmp_path / "ids.npy").write_bytes(large)
    [found] = findings(scan_of(tmp_path, tokenizer))
    assert "states 999,999,999,999 ids" in found.message


def test_an_array_of_objects_is_not_unpickled(tokenizer: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "ids.npy", np.array([{}], object), allow_pickle=True)
    [found] = findings(scan_of(tmp_path, tokenizer))
    assert found.message == "ids.npy: has values of type '|O'; ids must be whole numbers"


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_what_becomes_far_too_large_is_refused(
    suffix: str, tokenizer: Path, tmp_path: Path
) -> None:
    import gzip

    import zstandard

    line = b'{"input_ids": [1]}\n' + b" " * 100_000_000
    pack = gzip.compress if suffix == ".gz" else zstandard.ZstdCompressor().compress
    (tmp_path / f"ids.jsonl{suffix}").write_bytes(pack(line))
    [found] = findings(scan_of(tmp_path, tokenizer))
    assert found.identity == "data/whole:unreadable"
    assert "a line is longer than 64 MB" in found.message or "times its size" in found.message


def test_a_header_of_llm_c_that_states_less_than_nothing_holds_no_ids(
    rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    llm_c(tmp_path / "ids.bin", rows)
    data = (tmp_path / "ids.bin").read_bytes()
    (tmp_path / "ids.bin").write_bytes(struct.pack("<3i", 20240520, 1, -9) + data[12:])
    [found] = findings(scan_of(tmp_path, tokenizer))
    assert found.identity == "data/whole:count"
