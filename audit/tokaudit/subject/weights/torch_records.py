"""Records that torch writes for a tensor, and the few names that a pickle may call.

Source: `torch/_utils.py` and `torch/storage.py` of PyTorch 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tokaudit.foundation.errors import UnreadableError

LARGEST_NUMBER = 1 << 60  # of a shape, a stride or a place
MOST_DIMENSIONS = 64
STORAGES = {
    "DoubleStorage": "F64",
    "FloatStorage": "F32",
    "HalfStorage": "F16",
    "BFloat16Storage": "BF16",
    "LongStorage": "I64",
    "IntStorage": "I32",
    "ShortStorage": "I16",
    "CharStorage": "I8",
    "ByteStorage": "U8",
    "BoolStorage": "BOOL",
    "ComplexFloatStorage": "C64",
}
DTYPES = {
    "float64": "F64",
    "float32": "F32",
    "float16": "F16",
    "bfloat16": "BF16",
    "int64": "I64",
    "int32": "I32",
    "int16": "I16",
    "int8": "I8",
    "uint8": "U8",
    "uint16": "U16",
    "uint32": "U32",
    "uint64": "U64",
    "bool": "BOOL",
    "float8_e4m3fn": "F8_E4M3",
    "float8_e5m2": "F8_E5M2",
    "float8_e8m0fnu": "F8_E8M0",
}
UNTYPED = "bytes"  # of a storage that counts bytes and leaves the type to its tensors


@dataclass(frozen=True, slots=True)
class Name:
    """A function or class that the pickle names; it is never looked up."""

    name: str


@dataclass(frozen=True, slots=True)
class Storage:
    """Numbers that tensors share: `count` of them, in the entry or passage called `key`."""

    dtype: str
    key: str
    count: int


@dataclass(frozen=True, slots=True)
class SavedTensor:
    """A view of a storage; `start` and `strides` count numbers, not bytes."""

    dtype: str
    storage: Storage
    start: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


class ForeignName(UnreadableError):
    """Raised if the pickle calls or builds something that is not part of a tensor."""


@dataclass(eq=False, slots=True)
class Record:
    """An object of a pure data class: the name of the class, and its attributes."""

    of: str
    state: Any = None


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Names that a kind of pickle may contain and call, and classes that become records."""

    name: Callable[[str], Name]
    calls: Mapping[str, Callable[..., Any]]
    makes: Callable[[str], bool] = lambda name: False


def known_name(name: str) -> Name:
    module, _, last = name.rpartition(".")
    of_torch = module == "torch" and (last in STORAGES or last in DTYPES)
    if not of_torch and name != "torch.storage.UntypedStorage" and name not in CALLS:
        raise ForeignName(f"names {name[:80]!r}, which no tensor needs; nothing was run")
    return Name(name)


def storage_of(kind: Any, dtype: Any, key: Any, _device: Any, count: Any, *_: Any) -> Storage:
    """Return the storage that a pickle refers to by name, with its numbers elsewhere."""
    if kind != "storage" or not isinstance(dtype, Name) or not isinstance(key, str):
        raise UnreadableError("its pickle refers to data other than the values of tensors")
    last = dtype.name.rpartition(".")[2]
    return Storage(UNTYPED if last == "UntypedStorage" else STORAGES[last], key, _number(count))


def _tensor(storage: Any, start: Any, shape: Any, strides: Any, *_: Any) -> SavedTensor:
    if not isinstance(storage, Storage) or storage.dtype == UNTYPED:
        raise UnreadableError("has a tensor without values")
    return _view(storage.dtype, storage, start, shape, strides)


def _typed_tensor(
    storage: Any, start: Any, shape: Any, strides: Any, _grad: Any, _hooks: Any, dtype: Any, *_: Any
) -> SavedTensor:
    if not isinstance(storage, Storage) or not isinstance(dtype, Name):
        raise UnreadableError("has a tensor without values")
    return _view(DTYPES[dtype.name.rpartition(".")[2]], storage, start, shape, strides)


def _view(dtype: str, storage: Storage, start: Any, shape: Any, strides: Any) -> SavedTensor:
    lengths, steps = tuple(map(_number, shape)), tuple(map(_number, strides))
    if len(lengths) != len(steps) or len(lengths) > MOST_DIMENSIONS:
        raise UnreadableError("has a tensor whose shape and strides do not match")
    return SavedTensor(dtype, storage, _number(start), lengths, steps)


def _number(given: Any) -> int:
    if type(given) is not int or not 0 <= given <= LARGEST_NUMBER:
        raise UnreadableError(
            "has a tensor with a size or offset that is not a number from 0 to 2^60"
        )
    return given


def dtype_of(name: Any) -> str:
    """Return the number type that torch names; raise `UnreadableError` for others."""
    last = name.name.removeprefix("torch.") if isinstance(name, Name) else ""
    if last not in DTYPES:
        raise UnreadableError("has a tensor whose data type is unknown")
    return DTYPES[last]


def shape_of(given: Any) -> tuple[int, ...]:
    """Return the shape of a tensor; raise `UnreadableError` if it is invalid."""
    if not isinstance(given, tuple | list) or len(given) > MOST_DIMENSIONS:
        raise UnreadableError("has a tensor without a shape")
    return tuple(map(_number, given))


def _dictionary(pairs: Any = ()) -> dict[Any, Any]:
    return {entry_key(key): value for key, value in pairs}


def _first(data: Any, *_: Any) -> Any:
    return data


def entry_key(given: Any) -> str | int | Record:
    """Return an entry's key: text, number or record; hashing others may never end."""
    if not isinstance(given, str | int | Record) or (
        isinstance(given, int) and abs(given) > LARGEST_NUMBER
    ):
        raise UnreadableError(
            f"has an entry with a key of type {type(given).__name__}; expected a string or a number"
        )
    return given


CALLS: Mapping[str, Callable[..., Any]] = {
    "collections.OrderedDict": _dictionary,
    "torch._utils._rebuild_tensor": _tensor,
    "torch._utils._rebuild_tensor_v2": _tensor,
    "torch._utils._rebuild_tensor_v3": _typed_tensor,
    "torch._utils._rebuild_parameter": _first,
    "torch._utils._rebuild_parameter_with_state": _first,
    "torch.Size": _first,
    "torch.device": _first,
}
OF_TENSORS = Vocabulary(known_name, CALLS)
