"""Chunks of litdata: what contradicts their table or the index, and those that hold no bare ids."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from id_scans import identities, scan_of

from tokaudit.products.data.files.files import IdDescription
from tokaudit.products.data.files.opening import open_data
from tokaudit_folders.id_files import litdata

Rows = list[list[int]]
CHUNK = "chunk-0-0.bin"


@pytest.fixture
def written(rows: Rows, tmp_path: Path) -> Path:
    litdata(tmp_path / CHUNK, rows)
    return tmp_path


def index_of(folder: Path, change: Callable[[Any], object]) -> None:
    """Write the index with a change."""
    index = json.loads((folder / "index.json").read_text())
    change(index)
    (folder / "index.json").write_text(json.dumps(index))


def faults(folder: Path) -> list[tuple[str, str]]:
    [shard] = open_data([folder], IdDescription()).shards
    return [(each.cause, each.message) for each in shard.info.faults]


def refusal(folder: Path) -> str:
    [(_, why)] = open_data([folder], IdDescription()).unreadable
    return why


@pytest.mark.parametrize(
    ("key", "what"), [("chunk_size", "items"), ("dim", "ids")], ids=lambda each: each
)
def test_an_index_that_counts_otherwise_than_the_chunk_is_named(
    written: Path, key: str, what: str
) -> None:
    index_of(written, lambda index: index["chunks"][0].update({key: 7}))
    [(cause, message)] = faults(written)
    assert cause == "count"
    assert message.startswith(f"index.json states 7 {what}; {CHUNK} has ")


def test_a_chunk_that_the_index_does_not_list_is_named(written: Path) -> None:
    index_of(written, lambda index: index["chunks"][0].update(filename="chunk-0-1.bin"))
    assert faults(written) == [("listed", f"index.json lists no chunk {CHUNK}")]


@pytest.mark.parametrize(
    ("at", "add", "cause"),
    [(1, 2, "begin"), (3, 1, "order"), (3, 60_000, "order"), (2, -60_000, "order")],
    ids=["first item", "half an id", "after the next", "before the first"],
)
def test_a_table_out_of_order_is_named(written: Path, at: int, add: int, cause: str) -> None:
    data = bytearray((written / CHUNK).read_bytes())
    place = int.from_bytes(data[4 * at : 4 * at + 4], "little") + add
    data[4 * at : 4 * at + 4] = (place % (1 << 32)).to_bytes(4, "little")
    (written / CHUNK).write_bytes(data)
    assert [found for found, _ in faults(written)] == [cause]


def test_a_chunk_that_was_cut_off_is_named(written: Path, rows: Rows, tokenizer: Path) -> None:
    data = (written / CHUNK).read_bytes()
    (written / CHUNK).write_bytes(data[:-2])
    [(cause, message)] = faults(written)
    assert (cause, message) == (
        "size",
        f"the last item ends at byte {len(data):,}; {CHUNK} has {len(data) - 2:,}",
    )
    assert "data/whole:size" in identities(scan_of(written, tokenizer))


def test_a_chunk_cut_off_in_its_table_is_refused(written: Path) -> None:
    (written / CHUNK).write_bytes((written / CHUNK).read_bytes()[:20])
    assert refusal(written).startswith(f"{CHUNK}: the header states ")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            {"compression": "zstd"},
            f"{CHUNK}: its chunks use compression; write the chunks without compression",
        ),
        (
            {"encryption": {"algorithm": "fernet"}},
            f"{CHUNK}: its chunks use encryption; write the chunks without",
        ),
        (
            {"item_loader": "PyTreeLoader"},
            f"{CHUNK}: this litdata chunk has items of type no_header_",
        ),
        ({"data_format": ["jpeg"]}, f"{CHUNK}: this litdata chunk has items of type jpeg for "),
        (
            {"data_format": ["no_header_tensor:0"]},
            f"{CHUNK}: this litdata chunk has items of type no_",
        ),
        ({"data_format": 3}, "index.json: is not an index of litdata: "),
    ],
    ids=["compressed", "encrypted", "objects", "pictures", "fractions", "no list"],
)
def test_chunks_of_something_else_are_refused_with_the_reason(
    written: Path, change: dict[str, Any], why: str
) -> None:
    index_of(written, lambda index: index["config"].update(change))
    assert refusal(written).startswith(why)


def test_an_index_that_is_nested_without_end_is_refused(written: Path) -> None:
    text = (written / "index.json").read_text()
    nested = "[" * 100_000 + "]" * 100_000
    (written / "index.json").write_text(f'{{"data_format": {nested}, {text[1:]}')
    assert refusal(written).startswith(f"{CHUNK}: its header cannot be read: maximum recursion")
