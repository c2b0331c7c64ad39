"""Headers are read from the file alone, and one that lies is refused by name and place."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.material import SourceFile
from tokaudit.subject.weights import WeightHeaders, embedding_tensors, header, output_tensors


def written(path: Path, entries: dict[str, object], data: bytes) -> SourceFile:
    raw = json.dumps(entries).encode()
    path.write_bytes(struct.pack("<Q", len(raw)) + raw + data)
    return SourceFile(path.name, path, path.stat().st_size, "weights")


def entry(shape: list[int], start: int, end: int, dtype: str = "F16") -> dict[str, object]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [start, end]}


def test_names_types_and_shapes_are_read(tmp_path: Path) -> None:
    entries = {
        "__metadata__": {"format": "pt"},
        "model.embed_tokens.weight": entry([3, 2], 0, 12),
        "lm_head.weight": entry([3, 2], 12, 24),
    }
    headers = WeightHeaders(header(written(tmp_path / "m.safetensors", entries, b"\0" * 24)), ())
    assert {name: t.shape for name, t in headers.tensors.items()} == {
        "model.embed_tokens.weight": (3, 2),
        "lm_head.weight": (3, 2),
    }
    assert list(embedding_tensors(headers)) == ["model.embed_tokens.weight"]
    assert list(output_tensors(headers)) == ["lm_head.weight"]


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ({"a": entry([3, 2], 0, 10)}, "does not fill its bytes 0 to 10"),
        ({"a": entry([1, 2], 4, 8)}, "begins at byte 4, expected byte 0"),
        ({"a": entry([1, 2], 0, 4)}, "the tensors end at byte 4, but the data ends at byte 8"),
        (
            {"a": {"dtype": "F99", "shape": [1], "data_offsets": [0, 8]}},
            "the header states no valid dtype, shape and data_offsets for tensor .a.",
        ),
        ({"a": entry([-1, -4], 0, 8)}, "does not fill"),
    ],
)
def test_a_header_that_contradicts_its_file_is_refused(
    tmp_path: Path, entries: dict[str, object], says: str
) -> None:
    with pytest.raises(UnreadableError, match=says):
        header(written(tmp_path / "m.safetensors", entries, b"\0" * 8))


def test_a_header_that_claims_two_to_the_63_bytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.safetensors"
    path.write_bytes(struct.pack("<Q", 2**63) + b"{}")
    with pytest.raises(UnreadableError, match="states a header of 9,223,372,036,854,775,808"):
        header(SourceFile(path.name, path, 10, "weights"))


@settings(
    max_examples=some(200),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.binary(max_size=80))
def test_random_bytes_are_refused_and_raise_nothing_else(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "m.safetensors"
    path.write_bytes(struct.pack("<Q", max(0, len(data) - 3)) + data)
    with pytest.raises(UnreadableError):
        header(SourceFile(path.name, path, len(data), "weights"))
