"""Rows of the embedding are read only if asked for, a bounded number, and what they are is said."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path

import pytest

import tokaudit
from tokaudit.report.model import CheckResult, Status
from tokaudit.subject.formats.gguf.tensors import tensors as tensors_of
from tokaudit.subject.opening import open_subject
from tokaudit.subject.weights import read_headers
from tokaudit.subject.weights.rows import WeightRows
from tokaudit_folders.folder import Folder
from tokaudit_folders.gguf_files import gguf, source, tokenizer

NAME = "model.embed_tokens.weight"
PACKED = {"F64": "d", "F32": "f", "F16": "e"}


def brain(values: Sequence[float]) -> bytes:
    """bfloat16: the upper half of each float."""
    return b"".join(struct.pack("<f", value)[2:] for value in values)


def folder(path: Path, rows: Sequence[Sequence[float]], dtype: str = "F32") -> Path:
    """A tokenizer of three tokens, the last of them added, with a matrix of these rows."""
    Folder.bpe("ab").added("</s>").write(path)
    flat = [value for row in rows for value in row]
    data = brain(flat) if dtype == "BF16" else struct.pack(f"<{len(flat)}{PACKED[dtype]}", *flat)
    entry = {"dtype": dtype, "shape": [len(rows), len(rows[0])], "data_offsets": [0, len(data)]}
    write(path / "model.safetensors", {NAME: entry}, data)
    return path


def write(path: Path, entries: dict[str, object], data: bytes) -> None:
    header = json.dumps(entries).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + data)


def asked(path: Path) -> CheckResult:
    return tokaudit.run_check("embeddings/norms", path, read_embeddings=True)


def medians(result: CheckResult) -> dict[str, float]:
    wanted = [m for m in result.measurements if m.key == "embeddings/median_norm"]
    return {m.dimensions["kind"]: m.value for m in wanted}


@pytest.mark.parametrize("dtype", ["F64", "F32", "F16", "BF16"])
def test_norms_are_measured_for_each_kind_of_row(dtype: str, tmp_path: Path) -> None:
    result = asked(folder(tmp_path / "here", [(3, 4), (3, 4), (0, 1), (0, 0.5)], dtype))
    assert (result.status, result.findings) == (Status.PASSED, ())
    assert medians(result) == {"ordinary tokens": 5, "added tokens": 1, "no token": 0.5}
    (lowest,) = (m for m in result.measurements if m.dimensions.get("percentile") == "0")
    assert (lowest.value, lowest.n, lowest.unit) == (5, 2, "L2 norm")


def test_rows_are_not_read_unless_the_user_asks(tmp_path: Path) -> None:
    here = folder(tmp_path / "here", [(float("nan"), 0)] * 3)
    result = tokaudit.run_check("embeddings/norms", here)
    assert result.status is Status.NOT_APPLICABLE
    assert result.reason == "rows of embeddings are read only with --read-embeddings"
    report = tokaudit.audit(here, select=["embeddings/norms"], read_embeddings=True, tier="quick")
    assert report.result("embeddings/norms").status is Status.PASSED


def test_rows_of_a_packed_type_are_not_read(tmp_path: Path) -> None:
    here = folder(tmp_path / "here", [(1, 2)] * 3)
    entry = {"dtype": "F8_E8M0", "shape": [3, 2], "data_offsets": [0, 6]}
    write(here / "model.safetensors", {NAME: entry}, bytes(6))
    assert asked(here).reason == "the rows of a matrix of type F8_E8M0 cannot be read"


def test_of_a_large_matrix_a_bounded_number_of_rows_is_read_and_none_is_copied(
    tmp_path: Path,
) -> None:
    here, rows = folder(tmp_path / "here", [(1, 2)] * 3), 100_000
    entry = {"dtype": "F16", "shape": [rows, 512], "data_offsets": [0, rows * 1024]}
    header = json.dumps({NAME: entry}).encode()
    with (here / "model.safetensors").open("wb") as file:
        file.write(struct.pack("<Q", len(header)) + header)
        file.truncate(8 + len(header) + rows * 1024)
    read = {m.dimensions["kind"]: m.n for m in asked(here).measurements if "kind" in m.dimensions}
    assert read == {"ordinary tokens": 2, "added tokens": 1, "no token": 1021}
    subject = open_subject(str(here))
    tensor = read_headers(subject).tensors[NAME]
    assert list(WeightRows(subject.files).norms(tensor, [rows - 1])) == [(rows - 1, 0.0)]
    (weights,) = (file for file in subject.files if file.role == "weights")
    assert weights.content.digest()[1] == 8 + len(header)


@pytest.mark.parametrize(
    ("shape", "reason"),
    [
        ([3, 2**30], "each row of the matrix has 4,294,967,296 bytes; at most 1,048,576 are read"),
        ([2**44, 0], ""),  # as many rows as that, and no bytes
    ],
)
def test_a_matrix_that_claims_an_enormous_shape_costs_nothing(
    tmp_path: Path, shape: list[int], reason: str
) -> None:
    here = folder(tmp_path / "here", [(1, 2)] * 3)
    size = 4 * shape[0] * shape[1]
    header = json.dumps({NAME: {"dtype": "F32", "shape": shape, "data_offsets": [0, size]}})
    with (here / "model.safetensors").open("wb") as file:
        file.write(struct.pack("<Q", len(header)) + header.encode())
        file.truncate(8 + len(header) + size)  # of a sparse file nothing is written
    assert asked(here).reason == reason


def test_rows_of_a_gguf_file_are_read_where_its_weights_begin(tmp_path: Path) -> None:
    tensors = [("output.weight", (2, 3), 0, 0), ("token_embd.weight", (2, 3), 0, 32)]
    data = gguf(tokenizer("gpt2", ["a", "b", "c"]), tensors, 56)
    rows = struct.pack("<6f", 3, 4, 0, 2, 1, 0)
    file = source(tmp_path, data[: -len(rows)] + rows)
    found = tensors_of(file)["token_embd.weight"]
    assert dict(WeightRows((file,)).norms(found, range(3))) == {0: 5.0, 1: 2.0, 2: 1.0}
