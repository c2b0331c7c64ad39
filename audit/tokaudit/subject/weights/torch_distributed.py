"""Read the tensors of a distributed torch checkpoint: names, types and shapes.

Such a checkpoint is a folder with a pickle, `.metadata`, and a file for each process.  The pickle
has objects of a few classes that only hold data; they become records here, and nothing is called.
The numbers of a matrix lie in parts over the files, so its rows are not looked at.

Source: `torch/distributed/checkpoint/metadata.py` of PyTorch 2.13.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.material import SourceFile
from tokaudit.subject.tensors import Tensor
from tokaudit.subject.weights.safetensors import BITS
from tokaudit.subject.weights.torch_pickle import read_pickle
from tokaudit.subject.weights.torch_records import (
    CALLS,
    Name,
    Record,
    Vocabulary,
    dtype_of,
    known_name,
    shape_of,
)

LARGEST = 64_000_000  # bytes
CLASSES = "torch.distributed.checkpoint."
OF_METADATA, OF_TENSOR = (f"{CLASSES}metadata.{n}" for n in ("Metadata", "TensorStorageMetadata"))
LEFT_OUT = (
    f"{CLASSES}metadata._MEM_FORMAT_ENCODING",
    "torch.serialization._get_layout",
    "pathlib.PosixPath",
    "pathlib.WindowsPath",
    "pathlib._local.PosixPath",
    "pathlib._local.WindowsPath",
)
"""What is called for the layout of numbers and for the place of the folder."""


def distributed_tensors(file: SourceFile) -> dict[str, Tensor]:
    """Return the tensors of a distributed checkpoint by name, without offsets.

    Raises `UnreadableError`, which begins with the file's name, for what torch did not write.
    """
    try:
        return dict(_tensors(file))
    except UnreadableError as error:
        raise type(error)(f"{file.name}: {error}") from error


def _tensors(file: SourceFile) -> Iterator[tuple[str, Tensor]]:
    if file.content.size > LARGEST:
        raise UnreadableError(f"has {file.content.size:,} bytes; at most 64 MB are read")
    data = io.BytesIO(file.content.elsewhere(0, file.content.size))
    described = _attribute(read_pickle(data, KNOWN), OF_METADATA, "state_dict_metadata")
    if not isinstance(described, dict):
        raise UnreadableError("lists no tensors")
    for name, each in described.items():
        if isinstance(name, str) and isinstance(each, Record) and each.of == OF_TENSOR:
            shape = shape_of(_attribute(each, OF_TENSOR, "size"))
            dtype = _dtype(_attribute(each, OF_TENSOR, "properties"))
            yield name, Tensor(dtype, shape, file.name, math.prod(shape) * BITS[dtype] // 8)


def _attribute(record: Any, kind: str, name: str) -> Any:
    if not isinstance(record, Record) or record.of != kind or not isinstance(record.state, dict):
        raise UnreadableError(f"its pickle contains no {kind.rpartition('.')[2]} object of torch")
    return record.state.get(name)


def _dtype(properties: Any) -> str:
    """Return the number type, the first property of a tensor."""
    state = properties.state if isinstance(properties, Record) else None
    if isinstance(state, dict):
        return dtype_of(state.get("dtype"))
    return dtype_of(state[0] if isinstance(state, tuple) and state else None)


def _name(name: str) -> Name:
    return Name(name) if name in LEFT_OUT or name.startswith(CLASSES) else known_name(name)


def _nothing(*_: Any) -> None:
    """Ignore the arguments: nothing needs them."""


KNOWN = Vocabulary(
    _name, {**CALLS, **dict.fromkeys(LEFT_OUT, _nothing)}, lambda n: n.startswith(CLASSES)
)
