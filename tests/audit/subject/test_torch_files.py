"""Checkpoints that torch wrote are read without it, and nothing that they name is run."""

from __future__ import annotations

import json
import pickle
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.material import SourceFile
from tokaudit.subject.opening import open_subject
from tokaudit.subject.sniff import role_of
from tokaudit.subject.tensors import Tensor
from tokaudit.subject.weights import read_headers
from tokaudit.subject.weights.rows import WeightRows, read_rows
from tokaudit.subject.weights.torch_file import torch_tensors

WRITTEN = Path(__file__).parent / "torch_files"
SHAPES = {
    "model.embed_tokens.weight": ("F32", (6, 4)),
    "lm_head.weight": ("F32", (6, 4)),
    "sliced.weight": ("F32", (3, 4)),
    "turned.weight": ("F32", (4, 10)),
    "half.weight": ("F16", (2, 2)),
    "brain.weight": ("BF16", (1, 2)),
    "double.weight": ("F64", (1, 2)),
    "position_ids": ("I64", (3,)),
    "mask": ("BOOL", (2,)),
    "scalar": ("F32", ()),
    "empty": ("F32", (0, 4)),
}


def source(path: Path) -> SourceFile:
    return SourceFile(path.name, path, path.stat().st_size, "torch weights")


def read(name: str) -> dict[str, Tensor]:
    return torch_tensors(source(WRITTEN / name))


@pytest.mark.parametrize("name", ["zip.bin", "legacy.bin"])
def test_names_types_and_shapes_of_both_layouts_are_read(name: str) -> None:
    assert {key: (t.dtype, t.shape) for key, t in read(name).items()} == SHAPES


def test_tensors_of_a_training_state_are_named_by_the_keys_that_lead_to_them() -> None:
    assert set(read("nested.pt")) == {f"state_dict.{name}" for name in SHAPES}


def test_the_attributes_of_a_module_are_passed_over() -> None:
    assert {key: t.shape for key, t in read("state_dict.pth").items()} == {
        "embed_tokens.weight": (6, 4)
    }


def test_a_tensor_of_eight_bits_is_read() -> None:
    tensor = read("eight_bits.pt")["scaled.weight"]
    assert (tensor.dtype, tensor.shape, tensor.nbytes) == ("F8_E4M3", (2, 2), 4)


@pytest.mark.parametrize("name", ["zip.bin", "legacy.bin"])
def test_tied_tensors_have_one_place(name: str) -> None:
    tensors = read(name)
    assert tensors["lm_head.weight"].start == tensors["model.embed_tokens.weight"].start


@pytest.mark.parametrize("name", ["zip.bin", "legacy.bin"])
def test_a_slice_begins_in_the_middle_of_its_storage(name: str) -> None:
    start = read(name)["sliced.weight"].start
    data = (WRITTEN / name).read_bytes()[start : start + 16]  # type: ignore[operator]
    assert struct.unpack("<4f", data) == (8.0, 9.0, 10.0, 11.0)


@pytest.mark.parametrize("name", ["zip.bin", "legacy.bin"])
def test_a_tensor_whose_rows_do_not_follow_one_another_has_no_place(name: str) -> None:
    assert read(name)["turned.weight"].start is None


@pytest.mark.parametrize("name", ["zip.bin", "legacy.bin"])
def test_rows_are_read_from_the_file(tmp_path: Path, name: str) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    (tmp_path / "pytorch_model.bin").write_bytes((WRITTEN / name).read_bytes())
    subject = open_subject(tmp_path)
    tensor = read_headers(subject).tensors["model.embed_tokens.weight"]
    rows = read_rows(subject, tensor, ())
    assert rows is not None
    assert struct.unpack("<4f", rows.rows[1]) == (0.5, 0.625, 0.75, 0.875)
    assert dict(WeightRows(subject.files).norms(tensor, [0])) == {
        0: pytest.approx(0.4677, abs=1e-4)
    }


def test_a_file_with_a_suffix_of_torch_that_is_of_a_format_is_of_that_format() -> None:
    assert role_of("vocab.bin", b"GGUF\3\0\0\0") == "gguf"
    assert role_of("vocab.bin", b"neither") == "unread"
    assert role_of("pytorch_model.bin", b"neither") == "torch weights"


def test_a_file_of_torch_is_not_asked_where_safetensors_has_the_weights(tmp_path: Path) -> None:
    header = b'{"w": {"dtype": "F16", "shape": [1], "data_offsets": [0, 2]}}'
    (tmp_path / "tokenizer.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + b"\0\0")
    (tmp_path / "pytorch_model.bin").write_bytes(b"PK\x03\x04 and no archive")
    headers = read_headers(open_subject(tmp_path))
    assert (set(headers.tensors), headers.refused) == ({"w"}, ())


def test_a_tensor_that_the_index_names_and_no_shard_holds_is_absent(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    (tmp_path / "pytorch_model.bin").write_bytes((WRITTEN / "zip.bin").read_bytes())
    shards = {"scalar": "pytorch_model.bin", "lost": "pytorch_model-2.bin"}
    (tmp_path / "pytorch_model.bin.index.json").write_text(json.dumps({"weight_map": shards}))
    (absent,) = read_headers(open_subject(tmp_path)).absent
    assert (absent.tensor, absent.shard_is_here) == ("lost", False)


def test_slices_of_a_parallel_checkpoint_are_refused_as_each_has_a_part_of_every_tensor(
    tmp_path: Path,
) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    for number in range(2):
        path = tmp_path / f"consolidated.{number:02}.pth"
        path.write_bytes((WRITTEN / "zip.bin").read_bytes())
    headers = read_headers(open_subject(tmp_path))
    assert {each.reason for each in headers.refused} == {"is one of 2 slices of each tensor"}


@pytest.mark.parametrize("name", ["optimizer.pt", "training_args.bin", "rng_state_0.pth"])
def test_a_training_state_is_not_taken_for_weights(tmp_path: Path, name: str) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    (tmp_path / name).write_bytes((WRITTEN / "zip.bin").read_bytes())
    (file,) = (file for file in open_subject(tmp_path).files if file.name == name)
    assert file.role == "a trainer's state (not read)"


def archive(path: Path, described: bytes, *, packed: bool = False) -> SourceFile:
    """A checkpoint in torch's layout, with such a pickle and one storage of 16 bytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED) as made:
        made.writestr("m/data.pkl", described)
        made.writestr("m/data/0", bytes(16))
    return source(path)


STORAGE = b"(X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\x000X\3\0\0\0cpuK\4tQ"


def tensor(shape: bytes = b"K\2K\2", strides: bytes = b"K\2K\1", start: bytes = b"K\0") -> bytes:
    """The instructions that make one tensor of the storage."""
    rebuilt = b"ctorch._utils\n_rebuild_tensor_v2\n("
    return rebuilt + STORAGE + start + b"(" + shape + b"t(" + strides + b"t\x89}tR"


def saved(value: bytes) -> bytes:
    return b"\x80\2}X\1\0\0\0w" + value + b"s."


def test_a_pickle_written_by_hand_is_read_so_that_those_below_fail_for_their_fault(
    tmp_path: Path,
) -> None:
    found = torch_tensors(archive(tmp_path / "m.bin", saved(tensor())))
    assert {key: (t.dtype, t.shape) for key, t in found.items()} == {"w": ("F32", (2, 2))}


class Calls:
    """An object that, unpickled, calls a function."""

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        self.function, self.arguments = function, arguments

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self.function, self.arguments


def called(module: str, name: str) -> bytes:
    return f"\x80\x02c{module}\n{name}\n(X\x04\0\0\0trueRt.".encode("latin-1")


NAMES = "which no tensor needs; nothing was run"
HOSTILE = {
    "runs a shell": (called("posix", "system"), "'posix.system', " + NAMES),
    "evaluates": (called("builtins", "eval"), "'builtins.eval', " + NAMES),
    "runs by an older name": (called("__builtin__", "exec"), NAMES),
    "opens a file": (called("builtins", "open"), NAMES),
    "starts a process": (called("subprocess", "Popen"), NAMES),
    "imports": (called("builtins", "__import__"), NAMES),
    "reads attributes": (called("builtins", "getattr"), NAMES),
    "loads through torch": (called("torch", "load"), "'torch.load', " + NAMES),
    "loads from torch's hub": (called("torch.hub", "load"), NAMES),
    "a name of torch's that is close": (called("torch._utils", "_rebuild_everything"), NAMES),
    "a storage of another module": (called("torchaudio", "FloatStorage"), NAMES),
    "names on the stack": (b"\x80\4\x8c\5posix\x8c\6system\x93.", "'posix.system'"),
    "names that are numbers": (b"\x80\4K\1K\2\x93.", "'1.2'"),
    "an instance, the old way": (b"(S'true'\niposix\nsystem\n.", "the instruction INST"),
    "an object, the old way": (b"(cposix\nsystem\nS'true'\no.", "'posix.system'"),
    "a new object of a dictionary": (b"\x80\2ccollections\nOrderedDict\n)\x81.", "NEWOBJ"),
    "an extension": (b"\x80\2\x82\1.", "the instruction EXT1"),
    "a buffer outside": (b"\x80\5\x97.", "the instruction NEXT_BUFFER"),
    "a reference by text": (b"Pposix\n.", "the instruction PERSID"),
    "a set": (b"\x80\4\x8f.", "the instruction EMPTY_SET"),
    "calls a number": (b"\x80\2K\1)R.", "calls what is not a function"),
    "calls a storage's type": (b"\x80\2ctorch\nFloatStorage\n)R.", "calls what is not"),
    "a state for a number": (b"\x80\2K\1}b.", "its pickle treats a int as a dict"),
    "refers to a module": (
        b"\x80\2(X\6\0\0\0modulectorch\nFloatStorage\nK\1K\1K\1tQ.",
        "refers to",
    ),
    "no end": (b"\x80\2}", "ends in the middle|not a pickle"),
    "an empty stack": (b"\x80\2R.", "not a pickle that torch writes"),
    "a memo that is not there": (b"\x80\2h\7.", "not a pickle that torch writes"),
    "a text of 2 GB": (b"\x80\2X\xff\xff\xff\x7fabc.", "not a pickle that torch writes"),
    "a shape of 2^63": (saved(tensor(shape=b"\x8a\x09" + b"\0" * 7 + b"\x80\0K\2")), "2\\^60"),
    "a shape below 0": (saved(tensor(shape=b"J\xff\xff\xff\xffK\2")), "size or offset"),
    "a shape that is a text": (saved(tensor(shape=b"X\1\0\0\0aK\2")), "size or offset"),
    "a shape without strides": (saved(tensor(strides=b"")), "shape and strides"),
    "more rows than numbers": (
        saved(tensor(shape=b"K\3K\2")),
        "needs more values than its storage holds",
    ),
    "a slice over the end": (
        saved(tensor(start=b"K\1")),
        "needs more values than its storage holds",
    ),
    "a key that is a tuple": (b"\x80\2})K\1s.", "with a key of type tuple"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_pickle_is_refused_in_one_line(tmp_path: Path, kind: str) -> None:
    described, says = HOSTILE[kind]
    with pytest.raises(UnreadableError, match=says) as raised:
        torch_tensors(archive(tmp_path / "m.bin", described))
    assert "\n" not in str(raised.value)
    assert str(raised.value).startswith("m.bin: ")


def test_what_pickle_itself_would_call_is_not_called(tmp_path: Path) -> None:
    marker = tmp_path / "called"
    described = pickle.dumps({"w": Calls(Path.touch, marker)})
    with pytest.raises(UnreadableError):
        torch_tensors(archive(tmp_path / "m.bin", described))
    assert not marker.exists()
    pickle.loads(described)  # noqa: S301 -- our own, to see that it would have been
    assert marker.exists()


def test_dictionaries_that_lie_in_one_another_many_times_are_counted(tmp_path: Path) -> None:
    described = b"\x80\2}q\0" + b"".join(
        b"}(" + b"".join(b"J" + struct.pack("<i", key) + b"h" + bytes([level]) for key in range(999))
        + b"u" + b"q" + bytes([level + 1])
        for level in range(4)
    ) + b"."  # fmt: skip
    with pytest.raises(UnreadableError, match="contains more than 200,000 entries"):
        torch_tensors(archive(tmp_path / "m.bin", described))


def test_a_tuple_in_a_million_tuples_is_refused(tmp_path: Path) -> None:
    described = saved(tensor(shape=b")" + b"\x85" * 1_000_000 + b"K\2"))
    with pytest.raises(UnreadableError, match="size or offset"):
        torch_tensors(archive(tmp_path / "m.bin", described))


def test_packed_entries_are_refused_before_they_are_unpacked(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=r"torch\.save writes neither"):
        torch_tensors(archive(tmp_path / "m.bin", bytes(10_000_000), packed=True))


def test_a_storage_that_is_not_in_the_archive_is_named(tmp_path: Path) -> None:
    described = saved(tensor()).replace(b"X\1\0\0\x000", b"X\1\0\0\x007")
    with pytest.raises(UnreadableError, match="the values of tensor 'w' are missing"):
        torch_tensors(archive(tmp_path / "m.bin", described))


@pytest.mark.parametrize("name", ["zip.bin", "legacy.bin"])
def test_a_file_that_is_cut_anywhere_is_refused_and_raises_nothing_else(
    tmp_path: Path, name: str
) -> None:
    whole = (WRITTEN / name).read_bytes()
    path = tmp_path / "m.bin"
    for end in range(0, len(whole) - 1, 7):
        path.write_bytes(whole[:end])
        with pytest.raises(UnreadableError):
            torch_tensors(source(path))


@pytest.mark.parametrize("name", ["zip.bin", "legacy.bin"])
@settings(
    max_examples=some(150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(changes=st.lists(st.tuples(st.integers(0, 3_700), st.integers(0, 255)), max_size=6))
def test_a_file_with_changed_bytes_is_read_or_refused(
    tmp_path: Path, name: str, changes: list[tuple[int, int]]
) -> None:
    data = bytearray((WRITTEN / name).read_bytes())
    for at, byte in changes:
        data[at % len(data)] = byte
    path = tmp_path / "m.bin"
    path.write_bytes(data)
    try:
        found = torch_tensors(source(path))
    except UnreadableError:
        return
    assert all(t.start is None or t.start + t.nbytes <= len(data) for t in found.values())
