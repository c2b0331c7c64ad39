"""A distributed checkpoint that torch wrote is read without it, and nothing of it is run."""

from __future__ import annotations

import io
import pickle
import random
import shutil
from pathlib import Path

import pytest

import tokaudit
from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.material import SourceFile
from tokaudit.subject.opening import open_subject
from tokaudit.subject.sniff import DISTRIBUTED, PARTS
from tokaudit.subject.weights import WeightHeaders, read_headers
from tokaudit.subject.weights.torch_distributed import KNOWN, distributed_tensors
from tokaudit.subject.weights.torch_pickle import read_pickle
from tokaudit_folders.folder import Folder

WRITTEN = Path(__file__).parent / "torch_files" / "distributed"  # by its write.py


def headers(folder: Path) -> WeightHeaders:
    return read_headers(open_subject(folder))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A tokenizer of seven tokens next to the checkpoint, whose matrices have six rows."""
    Folder.bpe("abcdef", ["a b"]).write(tmp_path)
    for each in WRITTEN.iterdir():
        shutil.copy(each, tmp_path)
    return tmp_path


def test_names_types_and_shapes_are_read(folder: Path) -> None:
    found = headers(folder).tensors
    assert {name: (t.dtype, t.shape) for name, t in found.items()} == {
        "model.model.embed_tokens.weight": ("F32", (6, 4)),
        "model.lm_head.weight": ("F32", (6, 4)),
        "model.sliced.weight": ("F32", (3, 4)),
        "model.turned.weight": ("F32", (4, 10)),
        "model.half.weight": ("F16", (2, 2)),
        "model.brain.weight": ("BF16", (1, 2)),
        "model.double.weight": ("F64", (1, 2)),
        "model.position_ids": ("I64", (3,)),
        "model.mask": ("BOOL", (2,)),
        "model.scalar": ("F32", ()),
        "model.empty": ("F32", (0, 4)),
        "optimizer.step": ("I64", ()),
        "optimizer.state.embed_tokens.weight.exp_avg": ("F32", (6, 4)),
    }


def test_the_rows_are_counted_and_a_token_without_one_is_named(folder: Path) -> None:
    report = tokaudit.audit(folder, tier="quick", select=["embeddings"])
    errors = {f.identity for f in report.findings if f.severity == "error"}
    assert errors == {"embeddings/rows:short", "embeddings/output-rows:short"}


def test_its_files_are_weights_by_their_name(folder: Path) -> None:
    roles = {file.name: file.role for file in open_subject(folder).files}
    assert (roles[".metadata"], roles["__0_0.distcp"]) == (DISTRIBUTED, PARTS)


def test_parts_without_their_metadata_are_refused(folder: Path) -> None:
    (folder / ".metadata").unlink()
    assert [(each.file, each.reason) for each in headers(folder).refused] == [
        ("__0_0.distcp", "weights of this format are not read")
    ]


class Foreign:
    """What a stranger would have run."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return print, ("run",)


def test_a_name_that_no_checkpoint_needs_ends_the_reading(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / ".metadata").write_bytes(pickle.dumps({"a": Foreign()}, protocol=4))
    [refused] = headers(folder).refused
    assert refused.runs_code
    assert "names 'builtins.print', which no tensor needs; nothing was run" in refused.reason
    assert capsys.readouterr().out == ""


def test_an_object_of_a_class_becomes_a_record_only_of_those_that_hold_data() -> None:
    whole = (WRITTEN / ".metadata").read_bytes()
    other = whole.replace(
        b"torch.distributed.checkpoint.metadata", b"torch.distributed.elsewhere.metadata_"
    )
    with pytest.raises(UnreadableError, match="which no tensor needs"):
        read_pickle(io.BytesIO(other), KNOWN)


def test_a_damaged_one_is_read_or_refused_by_its_name(tmp_path: Path) -> None:
    whole, damaged = (WRITTEN / ".metadata").read_bytes(), tmp_path / ".metadata"
    for seed in range(400):
        drawn = random.Random(seed)
        data = bytearray(whole)
        for _ in range(drawn.randint(1, 8)):
            data[drawn.randrange(1, len(data))] = drawn.randrange(256)
        damaged.write_bytes(data[: drawn.choice((len(data), drawn.randrange(2, len(data))))])
        source = SourceFile(damaged.name, damaged, damaged.stat().st_size, DISTRIBUTED)
        try:
            assert all(isinstance(name, str) for name in distributed_tensors(source))
        except UnreadableError as error:
            assert str(error).startswith(".metadata: ")
