"""A model in a bucket of S3: judged as its copy is, for the ranges that are needed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import starts_processes
from s3_server import Bucket, serving_bucket

import tokaudit
from tokaudit.foundation.errors import UnreadableError
from tokaudit.products.demo.checkpoints import write_checkpoints

pytestmark = [pytest.mark.usefixtures("processes"), pytest.mark.cloud]
QUICK = {"tier": "quick", "select": ["vocab", "embeddings", "config", "special_tokens"]}
LARGE = 64 << 20  # bytes of weights that nobody needs


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A checkpoint whose embedding lacks a row, with much behind the matrix that is read."""
    write_checkpoints(tmp_path / "models")
    folder = tmp_path / "models" / "cut"
    weights = folder / "model.safetensors"
    data = weights.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    size = len(data) - 8 - length
    header["rest"] = {"dtype": "U8", "shape": [LARGE], "data_offsets": [size, size + LARGE]}
    written = json.dumps(header).encode()
    written += b" " * (-len(written) % 8)
    weights.write_bytes(len(written).to_bytes(8, "little") + written + data[8 + length :])
    with weights.open("ab") as file:
        file.truncate(8 + len(written) + size + LARGE)
    return folder


@pytest.fixture
@starts_processes
def bucket(copy: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    with serving_bucket("models", copy, monkeypatch) as found:
        yield found


def test_a_model_in_a_bucket_is_judged_as_its_copy_is(bucket: Bucket, copy: Path) -> None:
    there = tokaudit.audit("s3://models/cut", download=True, **QUICK)
    here = tokaudit.audit(copy, **QUICK)
    assert [each.message for each in there.findings] == [each.message for each in here.findings]
    assert not there.ok


def test_no_more_is_read_than_small_files_a_header_and_rows(bucket: Bucket, copy: Path) -> None:
    tokaudit.audit("s3://models/cut", download=True, **QUICK)
    requests, sent = bucket.sent()
    small = sum(path.stat().st_size for path in copy.iterdir() if path.suffix != ".safetensors")
    needed = small + copy.joinpath("model.safetensors").stat().st_size - LARGE
    assert sent <= 1.2 * needed
    assert requests <= 60


def test_a_manifest_names_the_version_of_each_file_and_holds_for_the_copy(
    bucket: Bucket, copy: Path, tmp_path: Path
) -> None:
    manifest = tokaudit.manifest("s3://models/cut", download=True)
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(manifest), "utf-8")
    assert tokaudit.verify(copy, path).ok


def test_a_file_that_changed_in_the_bucket_is_drift(
    bucket: Bucket, copy: Path, tmp_path: Path
) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(tokaudit.manifest("s3://models/cut", download=True)), "utf-8")
    settings = json.loads(bucket.system.cat_file("models/cut/tokenizer.json"))
    settings["truncation"] = {
        "direction": "Right",
        "max_length": 7,
        "strategy": "LongestFirst",
        "stride": 0,
    }
    bucket.system.pipe_file("models/cut/tokenizer.json", json.dumps(settings).encode())
    assert not tokaudit.verify("s3://models/cut", path, download=True).ok


def test_a_bucket_that_does_not_answer_is_a_refusal(bucket: Bucket) -> None:
    bucket.end()
    with pytest.raises(UnreadableError, match=r"^s3://models/cut: "):
        tokaudit.audit("s3://models/cut", download=True, **QUICK)


def test_a_bucket_that_is_not_there_is_a_refusal(bucket: Bucket) -> None:
    with pytest.raises(UnreadableError, match=r"^s3://nowhere/cut: does not exist"):
        tokaudit.audit("s3://nowhere/cut", download=True, **QUICK)
