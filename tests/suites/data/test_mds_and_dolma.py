"""Shards of Mosaic and of Dolma whose headers, sizes or tables are false."""

from __future__ import annotations

import gzip
import shutil
import struct
from pathlib import Path

import pytest
from id_scans import findings, identities, scan_of

from tokaudit_folders.id_files import dolma

WRITTEN = Path(__file__).parents[2] / "audit" / "products" / "data" / "written" / "mds"
SHARD = "shard.00000.mds"


@pytest.fixture
def shard(tmp_path: Path) -> Path:
    shutil.copytree(WRITTEN, tmp_path / "mds")
    return tmp_path / "mds" / SHARD


def test_samples_as_mosaic_writes_them_have_no_finding(shard: Path, tokenizer: Path) -> None:
    scan = scan_of(shard.parent, tokenizer)
    assert findings(scan) == []
    assert (scan.judged, scan.others) == (12, ())


@pytest.mark.parametrize("samples", [0xFFFFFFFF, 0x7FFFFFFF, 13])
def test_a_number_of_samples_that_lies_is_one_line(
    samples: int, shard: Path, tokenizer: Path
) -> None:
    shard.write_bytes(struct.pack("<I", samples) + shard.read_bytes()[4:])
    [found] = findings(scan_of(shard.parent, tokenizer))
    assert found.identity == "data/whole:unreadable"
    assert "\n" not in found.message


def test_a_shard_that_is_cut_short_is_named_with_its_size(shard: Path, tokenizer: Path) -> None:
    shard.write_bytes(shard.read_bytes()[:-20])
    found = findings(scan_of(shard.parent, tokenizer))
    assert [each.message for each in found if each.identity == "data/whole:size"] == [
        f"{SHARD}: the last sample ends at byte 1,204; {SHARD} has 1,184"
    ]


def test_a_sample_whose_size_lies_is_named(shard: Path, tokenizer: Path) -> None:
    data = bytearray(shard.read_bytes())
    (first,) = struct.unpack_from("<I", data, 4)
    struct.pack_into("<I", data, first, 0xFFFFFFFF)
    shard.write_bytes(bytes(data))
    [found] = findings(scan_of(shard.parent, tokenizer))
    assert found.message == (f"{SHARD}, document 0: the sample is not as long as its sizes say")


def test_a_compressed_shard_is_named_and_not_guessed(shard: Path, tokenizer: Path) -> None:
    shard.rename(shard.with_name(f"{SHARD}.zstd"))
    [found] = findings(scan_of(shard.parent, tokenizer))
    assert found.message == f"{SHARD}.zstd: is compressed; unpack the file first"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("0,99999999999999999999,x,y,0", "data/whole:last-end"),
        ("5,9,x,y,0", "data/whole:table"),
        ("9,5,x,y,0", "data/whole:table"),
    ],
)
def test_a_table_of_dolma_that_lies_is_named(
    line: str, cause: str, rows: list[list[int]], tokenizer: Path, tmp_path: Path
) -> None:
    dolma(tmp_path / "ids.npy", rows)
    (tmp_path / "ids.csv.gz").write_bytes(gzip.compress(line.encode()))
    assert cause in identities(scan_of(tmp_path, tokenizer))
