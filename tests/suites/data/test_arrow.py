"""Arrow's streams and files: both are read, and offsets that lie end no process."""

from __future__ import annotations

from pathlib import Path

import pyarrow
import pytest
from id_scans import findings, scan_of

from tokaudit_folders.id_files import arrow

Rows = list[list[int]]


@pytest.mark.parametrize("compression", [None, "lz4", "zstd"])
def test_a_file_with_a_table_of_contents_is_read(
    compression: str | None, rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    table = pyarrow.table({"text": ["a"] * len(rows), "input_ids": rows})
    options = pyarrow.ipc.IpcWriteOptions(compression=compression)
    with pyarrow.ipc.new_file(str(tmp_path / "a.arrow"), table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=7)
    scan = scan_of(tmp_path, tokenizer)
    assert findings(scan) == []
    assert scan.judged == len(rows)


def test_offsets_that_lie_are_one_line(rows: Rows, tokenizer: Path, tmp_path: Path) -> None:
    ends = pyarrow.array([0, 1_000_000, len(rows[0])], pyarrow.int32()).buffers()[1]
    values = pyarrow.array(rows[0])
    kind = pyarrow.list_(pyarrow.int64())
    lies = pyarrow.Array.from_buffers(kind, 2, [None, ends], children=[values])
    batch = pyarrow.RecordBatch.from_arrays([lies], ["input_ids"])
    with pyarrow.ipc.new_stream(str(tmp_path / "a.arrow"), batch.schema) as writer:
        writer.write_batch(batch)
    found = [each for each in findings(scan_of(tmp_path, tokenizer)) if each.severity == "error"]
    assert [each.identity for each in found] == ["data/whole:unreadable"]
    assert found[0].message.startswith("a.arrow: cannot be read: ")


def test_a_stream_that_is_cut_short_is_named(rows: Rows, tokenizer: Path, tmp_path: Path) -> None:
    arrow(tmp_path / "a.arrow", rows)
    data = (tmp_path / "a.arrow").read_bytes()
    (tmp_path / "a.arrow").write_bytes(data[: len(data) // 2])
    found = {each.identity for each in findings(scan_of(tmp_path, tokenizer))}
    assert "data/whole:unreadable" in found
