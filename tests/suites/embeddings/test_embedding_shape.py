"""Weights whose embedding nobody can see leave the verdict open."""

from __future__ import annotations

import json
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.foundation.errors import NotApplicable, Skip
from tokaudit.report.model import Severity, Verdict

Ask = Callable[..., list[Any]]
SHELL = b"\x80\x02cposix\nsystem\n(X\x04\0\0\0trueRt."


@pytest.fixture
def bare(folder: Path) -> Path:
    """A healthy folder without weights."""
    (folder / "model.safetensors").unlink()
    return folder


def safetensors(
    path: Path, name: str, rows: int, columns: tuple[int, ...] = (1,), *more: str
) -> None:
    offsets = {"dtype": "F16", "shape": [rows, *columns], "data_offsets": [0, 2 * rows]}
    empty = {"dtype": "F16", "shape": [0], "data_offsets": [2 * rows, 2 * rows]}
    header = json.dumps({name: offsets, **dict.fromkeys(more, empty)}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + b"\1\2" * rows)


def torch_file(path: Path, pickle: bytes) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("m/data.pkl", pickle)


def test_an_embedding_in_safetensors_is_enough(bare: Path, ask: Ask) -> None:
    safetensors(bare / "model.safetensors", "model.embed_tokens.weight", 380)
    assert ask("embeddings/shape", bare) == []


def test_a_matrix_of_the_size_of_the_vocabulary_is_enough(bare: Path, ask: Ask) -> None:
    safetensors(bare / "model.safetensors", "table", 380)
    assert ask("embeddings/shape", bare) == []


def test_a_folder_without_weights_is_not_asked(bare: Path, ask: Ask) -> None:
    with pytest.raises(NotApplicable):
        ask("embeddings/shape", bare)


def test_an_adapter_alone_is_not_asked(bare: Path, ask: Ask) -> None:
    safetensors(bare / "adapter_model.safetensors", "lora_A.weight", 8)
    with pytest.raises(NotApplicable, match="only an adapter's"):
        ask("embeddings/shape", bare)


@pytest.mark.parametrize("file", ["model.safetensors", "adapter_model.safetensors"])
@pytest.mark.parametrize("shape", [(0, ()), (0, (64,)), (380 * 64, ())])
def test_a_named_embedding_without_rows_is_an_error(
    file: str, shape: tuple[int, tuple[int, ...]], bare: Path, ask: Ask
) -> None:
    """As when an empty or a flat parameter is saved by one of several devices."""
    rows, columns = shape
    safetensors(bare / file, "model.embed_tokens.weight", rows, columns)
    (found,) = ask("embeddings/shape", bare)
    assert (found.severity, found.cause) == (Severity.ERROR, "no rows")
    assert f"model.embed_tokens.weight has the shape {[rows, *columns]}" in found.message


def test_one_number_for_each_token_holds_no_embedding(bare: Path, ask: Ask) -> None:
    safetensors(bare / "token_bytes.safetensors", "token_bytes", 380, columns=())
    with pytest.raises(NotApplicable, match="vectors with no room for an embedding"):
        ask("embeddings/shape", bare)


def test_one_long_vector_may_hold_an_embedding(bare: Path, ask: Ask) -> None:
    safetensors(bare / "model.safetensors", "flat_param", 380 * 64, columns=())
    with pytest.raises(Skip, match="none of 1 tensor is named as a token embedding is"):
        ask("embeddings/shape", bare)


def test_tensors_of_other_names_and_sizes_leave_the_question_open(bare: Path, ask: Ask) -> None:
    safetensors(bare / "model.safetensors", "conv.weight", 8)
    with pytest.raises(Skip, match="none of 1 tensor is named as a token embedding is"):
        ask("embeddings/shape", bare)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("tf_model.h5", "tf_model.h5 weights of this format are not read"),
        ("pytorch_model.bin", "pytorch_model.bin is not a file that torch.save writes"),
    ],
)
def test_weights_that_are_not_read_leave_the_question_open(
    bare: Path, ask: Ask, name: str, says: str
) -> None:
    (bare / name).write_bytes(b"something else than weights")
    with pytest.raises(Skip, match=says):
        ask("embeddings/shape", bare)


def test_the_verdict_on_a_folder_whose_weights_are_not_read_is_unverifiable(bare: Path) -> None:
    (bare / "pytorch_model.bin").write_bytes(b"something else than weights")
    report = tokaudit.audit(bare, select=["embeddings/shape"])
    assert report.verdict is Verdict.UNVERIFIABLE


def test_a_pickle_that_calls_something_is_named_with_what_it_calls(bare: Path) -> None:
    torch_file(bare / "pytorch_model.bin", SHELL)
    report = tokaudit.audit(bare, select=["embeddings/shape"])
    (finding,) = report.findings
    assert finding.severity is Severity.WARNING
    assert "names 'posix.system', which no tensor needs; nothing was run" in finding.message


@pytest.mark.parametrize(
    ("name", "rows", "worth"),
    [
        ("segments.safetensors", 124, "warning"),
        ("segments.safetensors", 370, "error"),
        ("model.safetensors", 124, "error"),
    ],
)
def test_few_rows_under_a_name_of_nobody_may_be_another_models(
    bare: Path, name: str, rows: int, worth: str
) -> None:
    safetensors(bare / name, "embedding.weight", rows)
    [finding] = tokaudit.audit(bare, select=["embeddings/rows"]).findings
    assert str(finding.severity) == worth
    assert ("to another model" in finding.message) == (worth == "warning")


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"hidden_size": 9}, ["another width"]),
        ({"hidden_size": 1}, []),
        ({"text_config": {"hidden_size": 1}, "hidden_size": 9}, []),
        ({"hidden_size": 9, "embedding_size": 1}, []),
        ({"hidden_size": 9, "auto_map": {"AutoModel": "own.Model"}}, []),
        ({"hidden_size": 9, "quantization_config": {"bits": 4}}, []),
        ({"num_attention_heads": 9}, []),
    ],
)
def test_a_row_has_as_many_numbers_as_some_size_of_the_config(
    bare: Path, ask: Ask, config: dict[str, Any], said: list[str]
) -> None:
    (bare / "config.json").write_text(json.dumps({"vocab_size": 380, **config}))
    rows = "model.embed_tokens.weight"
    safetensors(bare / "model.safetensors", rows, 380, (1,), "model.norm.weight")
    found = ask("embeddings/shape", bare)
    assert [each.cause for each in found] == said


def test_rows_without_a_layer_say_nothing_of_the_width(bare: Path, ask: Ask) -> None:
    (bare / "config.json").write_text(json.dumps({"vocab_size": 380, "hidden_size": 9}))
    safetensors(bare / "model.safetensors", "model.embed_tokens.weight", 380)
    assert ask("embeddings/shape", bare) == []
