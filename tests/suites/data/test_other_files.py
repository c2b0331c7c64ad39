"""Files next to ids that hold something else are left alone, and rows of ids are known as such."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import numpy as np
import pyarrow
import pytest
from id_scans import findings, identities, scan_of
from pyarrow import parquet as writer

from tokaudit.foundation.errors import UnreadableError
from tokaudit_folders.id_files import json_lines

Rows = list[list[int]]


def lines(rows: Rows, **before: object) -> str:
    """Rows with other keys in front of the ids."""
    return "".join(json.dumps({**before, "input_ids": row}) + "\n" for row in rows)


def test_what_holds_no_ids_is_counted_and_is_no_fault(
    rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    json_lines(tmp_path / "ids.jsonl", rows)
    shutil.copytree(tokenizer, tmp_path / "tokenizer")
    (tmp_path / "texts.json").write_text(json.dumps(["one", "two"]))
    (tmp_path / "rows.json").write_text(json.dumps([{"input_ids": rows[0]}]))
    info = {"features": {"input_ids": {"dtype": "int32"}}}
    (tmp_path / "dataset_info.json").write_text(json.dumps(info, indent=1))
    (tmp_path / "source.jsonl.gz").write_bytes(gzip.compress(b'{"text": "one"}\n'))
    writer.write_table(pyarrow.table({"text": ["one"]}), tmp_path / "source.parquet")
    scan = scan_of(tmp_path, tokenizer)
    assert findings(scan) == []
    assert scan.others == (
        "dataset_info.json",
        "rows.json",
        "source.jsonl.gz",
        "source.parquet",
        "texts.json",
        "tokenizer/tokenizer.json",
        "tokenizer/tokenizer_config.json",
    )


def test_ids_after_a_long_text_are_read(rows: Rows, tokenizer: Path, tmp_path: Path) -> None:
    (tmp_path / "ids.jsonl").write_text(lines(rows, text="x" * 9000))
    scan = scan_of(tmp_path, tokenizer)
    assert (findings(scan), scan.judged) == ([], len(rows))


@pytest.mark.parametrize("start", [b"\n\n", b"\xef\xbb\xbf"], ids=["blank lines", "a mark"])
def test_lines_may_begin_with_nothing(
    start: bytes, rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    (tmp_path / "ids.jsonl").write_bytes(start + lines(rows).encode())
    scan = scan_of(tmp_path, tokenizer)
    assert (findings(scan), scan.judged) == ([], len(rows))


def test_a_first_line_that_is_broken_is_named(rows: Rows, tokenizer: Path, tmp_path: Path) -> None:
    (tmp_path / "ids.jsonl").write_text('{"input_ids": [1, 2\n' + lines(rows))
    scan = scan_of(tmp_path, tokenizer)
    assert identities(scan) == {"data/whole:line"}
    assert scan.judged == len(rows)


def test_ids_under_another_key_are_a_line_that_names_the_keys(
    rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    (tmp_path / "ids.jsonl").write_text(json.dumps({"toks": rows[0]}))
    with pytest.raises(UnreadableError) as caught:
        scan_of(tmp_path, tokenizer)
    assert str(caught.value).endswith(
        "no file contains ids that tokaudit can read; ids.jsonl: its lines have the "
        "keys toks; ids are expected under one of input_ids, tokens, token_ids, ids"
    )


@pytest.mark.parametrize("dtype", ["<u8", "<i8"])
def test_bare_ids_of_eight_bytes_are_read_as_such(
    dtype: str, rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    flat = np.array([id for row in rows for id in row], dtype)
    (tmp_path / "train.bin").write_bytes(flat.tobytes())
    scan = scan_of(tmp_path, tokenizer)
    assert (findings(scan), scan.total.ids) == ([], len(flat))


def test_weights_of_torch_are_not_ids(rows: Rows, tokenizer: Path, tmp_path: Path) -> None:
    json_lines(tmp_path / "ids.jsonl", rows)
    magic = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."
    (tmp_path / "pytorch_model.bin").write_bytes(magic + bytes(range(256)) * 9)
    scan = scan_of(tmp_path, tokenizer)
    assert (findings(scan), scan.others) == ([], ("pytorch_model.bin",))
