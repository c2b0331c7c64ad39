"""Tensors of ids in safetensors: `input_ids`, one array or rows, with labels and masks next to it.

A file of weights is left alone: it has no tensor of such a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tokaudit.foundation.errors import UnreadableError
from tokaudit.products.data.files import DataFormat, Shard
from tokaudit.products.data.files.batch import Fault, HoldsNoIds, ShardInfo
from tokaudit.products.data.files.files import DataFile, IdDescription
from tokaudit.products.data.files.flat import FlatArray, FlatShard, of_rows
from tokaudit.products.data.files.records import COLUMNS, Names, names_of, refuse_missing
from tokaudit.subject.tensors import Tensor
from tokaudit.subject.weights.safetensors import header_of

NUMBERS = {
    f"{sign}{8 * width}": f"<{sign.lower()}{width}" for sign in "IU" for width in (1, 2, 4, 8)
}


def opened(file: DataFile, given: IdDescription) -> Shard:
    """Open the tensor of ids; raise `HoldsNoIds` if none has that name."""
    tensors = header_of(file.name, file)
    names = names_of(tensors, given.columns)
    if not names.ids:
        raise HoldsNoIds(
            f"{file.name}: no tensor of ids was found among {', '.join([*tensors][:9])}; name the "
            "tensor with --column"
        )
    refuse_missing(file.name, tensors, given.columns)
    ids = tensors[names.ids]
    if ids.dtype not in NUMBERS:
        raise UnreadableError(
            f"{file.name}: the tensor {names.ids!r} has type {ids.dtype}; ids must be whole numbers"
        )
    if len(ids.shape) not in (1, 2):
        raise UnreadableError(
            f"{file.name}: the tensor {names.ids!r} has {len(ids.shape)} dimensions; expected 1 or "
            "2"
        )
    length = ids.shape[1] if len(ids.shape) == 2 else 0
    whole = _array(file, ids)
    info = ShardInfo(
        file.name,
        "safetensors",
        f"{'u' if ids.dtype[0] == 'U' else ''}int{ids.dtype[1:]}",
        whole.count,
        ids.shape[0] if length else 0,
        file.size,
        (file.name,),
        bounded=bool(length),
        packed=bool(length) and not names.mask,
        faults=tuple(_unlike(file, names, tensors)),
    )
    columns = {
        role: _array(file, tensors[name])
        for role, name in _named(names)
        if tensors[name].shape == ids.shape and tensors[name].dtype in NUMBERS
    }
    return FlatShard(info, whole, of_rows(length), columns)


def _named(names: Names) -> Iterator[tuple[str, str]]:
    return ((role, name) for role in COLUMNS if (name := getattr(names, role)))


def _unlike(file: DataFile, names: Names, tensors: Mapping[str, Tensor]) -> Iterator[Fault]:
    """Yield tensors next to the ids of another length, or without whole numbers."""
    ids = tensors[names.ids]
    for _, name in _named(names):
        if tensors[name].shape != ids.shape:
            stated = (
                f"{name} has the shape {list(tensors[name].shape)}, {names.ids} {list(ids.shape)}"
            )
            yield Fault("length", stated, file.name)
        elif tensors[name].dtype not in NUMBERS:
            yield Fault("row", f"{name} is {tensors[name].dtype}, and no whole number", file.name)


def _array(file: DataFile, tensor: Tensor) -> FlatArray:
    kind = NUMBERS[tensor.dtype]
    return FlatArray(file, kind, tensor.start or 0, tensor.nbytes // int(kind[2:]))


def _recognised(file: DataFile, head: bytes) -> bool:
    return file.path.suffix == ".safetensors" and head[8:9] == b"{"


DATA_FORMAT = DataFormat("safetensors", 3, (".safetensors",), _recognised, opened)
