"""Initializers of ONNX models are weights: their names, shapes and rows are known."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokaudit
from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.opening import open_subject
from tokaudit.subject.weights import read_headers
from tokaudit.subject.weights.onnx_file import onnx_tensors
from tokaudit_folders.folder import Folder
from tokaudit_folders.gguf_files import gguf
from tokaudit_folders.onnx_files import field, number, onnx, packed, varint

NAME = "model.embed_tokens.weight"
LETTERS = Folder.bpe("abcd")
ROWS = [(float(row), 1.0) for row in range(4)]


def model(folder: Path, content: bytes, name: str = "onnx/model.onnx") -> Path:
    return LETTERS.file(name, content).write(folder)


def shapes(folder: Path) -> dict[str, tuple[int, ...]]:
    found = read_headers(open_subject(folder)).tensors
    return {name: tensor.shape for name, tensor in found.items()}


def told(folder: Path) -> list[str]:
    found = tokaudit.audit(folder, select=("embeddings",)).findings
    return [each.identity for each in found if each.severity is tokaudit.Severity.ERROR]


def test_initializers_have_names_and_shapes(tmp_path: Path) -> None:
    assert shapes(model(tmp_path, onnx({NAME: ROWS, "head": ROWS[:1]}))) == {
        NAME: (4, 2),
        "head": (1, 2),
    }


def test_a_matrix_with_fewer_rows_than_ids_is_an_error(tmp_path: Path) -> None:
    assert told(model(tmp_path / "short", onnx({NAME: ROWS[:3]}))) == ["embeddings/rows:short"]
    assert told(model(tmp_path / "whole", onnx({NAME: ROWS}))) == []


def test_numbers_in_another_file_leave_the_shape(tmp_path: Path) -> None:
    folder = model(tmp_path, onnx({NAME: ROWS[:3]}, **{NAME: "model.onnx_data"}))
    assert told(folder) == ["embeddings/rows:short"]


def test_a_packed_matrix_counts_its_rows_under_its_own_name(tmp_path: Path) -> None:
    assert shapes(model(tmp_path, packed(f"{NAME}_quantized", (4, 2)))) == {NAME: (4, 2)}


def test_models_of_several_precisions_are_no_contradiction(tmp_path: Path) -> None:
    folder = model(tmp_path, onnx({NAME: ROWS}))
    model(folder, packed(f"{NAME}_quantized", (4, 1)), "onnx/model_q4.onnx")
    assert told(folder) == []


def test_other_weights_are_asked_first(tmp_path: Path) -> None:
    folder = model(tmp_path, onnx({NAME: ROWS[:3]}))
    LETTERS.weights(model__embed_tokens__weight=(4, 2)).write(folder)
    assert shapes(folder) == {NAME: (4, 2)}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x3a",
        number(1, 8),
        varint(7 << 3 | 2) + varint(1 << 60),
        field(7, varint(5 << 3 | 2) + varint(1 << 40)),
        field(7, bytes([5 << 3 | 3])),
        field(7, field(5, field(8, b"n" * 5000))),
        field(7, field(5, number(1, 1 << 40) + number(2, 1) + field(8, b"n") + field(9, b"1234"))),
        field(7, field(5, number(1, 1) * 65 + number(2, 1))),
        b"\xff" * 40,
        gguf({}, []),
    ],
    ids=[
        "empty", "a key alone", "no graph", "longer than the file", "longer than the graph",
        "a group", "a long name", "numbers beyond the end", "many dimensions", "endless number",
        "another format",
    ],
)  # fmt: skip
def test_what_is_no_model_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    subject = open_subject(LETTERS.file("model.onnx", content).write(tmp_path))
    file = next(each for each in subject.files if each.name == "model.onnx")
    with pytest.raises(UnreadableError, match=r"^model\.onnx: is not an ONNX model: "):
        onnx_tensors(file)
