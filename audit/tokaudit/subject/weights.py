"""Reads the headers of safetensors files with the standard library: names, types and shapes.

The format: 8 bytes of little-endian length, that many bytes of JSON, then the data; offsets are
relative to the data, contiguous and inside the file (https://github.com/huggingface/safetensors).
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tokaudit.foundation.errors import NotApplicable, Skip, UnreadableError
from tokaudit.subject.formats import all_formats
from tokaudit.subject.material import Side, SourceFile, Subject, read_bytes
from tokaudit.subject.safe_json import parse_object
from tokaudit.subject.sniff import GIT_LFS
from tokaudit.subject.tensors import Tensor

LARGEST_HEADER = 100_000_000
BITS = {
    **dict.fromkeys(("F64", "I64", "U64", "C64"), 64),
    **dict.fromkeys(("F32", "I32", "U32"), 32),
    **dict.fromkeys(("F16", "BF16", "I16", "U16"), 16),
    **dict.fromkeys(("BOOL", "I8", "U8", "F8_E5M2", "F8_E4M3", "F8_E8M0"), 8),
    **dict.fromkeys(("F6_E2M3", "F6_E3M2"), 6),
    "F4": 4,
}
WEIGHT_FILES = (".safetensors", ".gguf")
EMBEDDINGS = (
    "embed_tokens.weight",
    "wte.weight",
    "word_embeddings.weight",
    "shared.weight",
    "embed_in.weight",
    "tok_embeddings.weight",
    "token_embedding.weight",
    "token_embd.weight",  # GGUF
    "embeddings.weight",
)
OUTPUTS = ("lm_head.weight", "embed_out.weight", "output.weight", "cls.predictions.decoder.weight")


@dataclass(frozen=True, slots=True)
class Absent:
    """A tensor that an index names, where the shard that has to hold it is missing or lacks it."""

    tensor: str
    shard: str
    index: str
    shard_is_here: bool


@dataclass(frozen=True)
class WeightHeaders:
    """Every tensor of the subject by name, over all its shards."""

    tensors: Mapping[str, Tensor]
    files: tuple[str, ...]
    absent: tuple[Absent, ...] = ()


def read_headers(subject: Subject) -> WeightHeaders:
    """The headers of the subject's safetensors files, and of models in one file.

    Raises `NotApplicable` where there are none, `Skip` where one is only a pointer to its content,
    `UnreadableError` for a header that lies.
    """
    if pointers := not_fetched(subject):
        more = f" and {len(pointers) - 1:,} more" if pointers[1:] else ""
        raise Skip(f"only git-lfs pointers are here of the weights ({pointers[0].name}{more})")
    files = [file for file in subject.files if file.role == "weights"]
    described = {file.name: header(file) for file in files} | _in_models(subject)
    indices = [file for file in subject.files if file.role == "weights index"]
    if not described and not indices:
        raise NotApplicable("no safetensors weights here")
    tensors: dict[str, Tensor] = {}
    for found in described.values():
        for name, tensor in found.items():
            tensors.setdefault(name, tensor)
    present = {file.name for file in files}
    absent = [lost for index in indices for lost in _absent(index, present, tensors)]
    mine = {name: found for name, found in tensors.items() if _is_of(subject.side, name)}
    return WeightHeaders(mine, tuple(described), tuple(absent))


def not_fetched(subject: Subject) -> list[SourceFile]:
    """The weight files that are only git-lfs pointers."""
    weights = (file for file in subject.files if file.known.endswith(WEIGHT_FILES))
    return [file for file in weights if file.impostor == GIT_LFS]


def _is_of(side: Side, name: str) -> bool:
    """Whether a tensor is of this side; the head makes ids of the decoder's."""
    if side.not_of == "decoder" and ends_with(name, OUTPUTS):
        return False
    return not side.not_of or side.not_of not in name.split(".")


def _in_models(subject: Subject) -> dict[str, Mapping[str, Tensor]]:
    """The tensors of files that hold a vocabulary and weights, where there are any."""
    readers = {format.name: format.tensors for format in all_formats() if format.tensors}
    found = {f.name: readers[f.role](f) for f in subject.files if f.role in readers}
    return {name: tensors for name, tensors in found.items() if tensors}


def embedding_tensors(headers: WeightHeaders) -> dict[str, Tensor]:
    """The tensors with a row for each token id at the input."""
    return _named(headers, EMBEDDINGS)


def output_tensors(headers: WeightHeaders) -> dict[str, Tensor]:
    """The tensors with a row for each token id at the output."""
    return _named(headers, OUTPUTS)


def _named(headers: WeightHeaders, endings: Iterable[str]) -> dict[str, Tensor]:
    ends = tuple(endings)
    return {
        name: tensor
        for name, tensor in headers.tensors.items()
        if len(tensor.shape) == 2 and ends_with(name, ends)
    }


def ends_with(name: str, endings: Iterable[str]) -> bool:
    """Whether the last parts of a tensor's name are one of `endings`.

    >>> ends_with("model.lm_head.weight", OUTPUTS), ends_with("film_head.weight", OUTPUTS)
    (True, False)
    """
    return any(("." + name).endswith("." + end) for end in endings)


def header(file: SourceFile) -> dict[str, Tensor]:
    """The tensors of one file; every statement of the header is checked against the file."""
    size, raw = _header_bytes(file)
    try:
        data = json.loads(raw, object_pairs_hook=_no_duplicates)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"{file.name}: its header is not JSON: {error}") from error
    if not isinstance(data, dict):
        raise UnreadableError(f"{file.name}: its header is not JSON object")
    data.pop("__metadata__", None)
    spans = [(*_span(file, name, entry), name) for name, entry in data.items()]
    first = 8 + len(raw)
    _contiguous(file, spans, size - first)
    return {
        name: Tensor(
            data[name]["dtype"],
            tuple(data[name]["shape"]),
            file.name,
            end - start,
            first + start,
        )
        for start, end, name in spans
    }


def _header_bytes(file: SourceFile) -> tuple[int, bytes]:
    size, first = file.content.size, file.content.read(0, 8)
    if len(first) < 8:
        raise UnreadableError(f"{file.name}: is too short to hold a safetensors header")
    (length,) = struct.unpack("<Q", first)
    if length > min(LARGEST_HEADER, size - 8):
        raise UnreadableError(
            f"{file.name}: claims a header of {length:,} bytes in a file of "
            f"{size:,}; at most {LARGEST_HEADER:,} are read"
        )
    return size, file.content.read(8, length)


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} is given twice")
    return found


def _span(file: SourceFile, name: str, entry: Any) -> tuple[int, int]:
    """The bytes of one tensor; raises for a type, shape and span that do not agree."""
    try:
        bits, shape, (start, end) = BITS[entry["dtype"]], entry["shape"], entry["data_offsets"]
        whole = all(type(n) is int and n >= 0 for n in (*shape, start, end))
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadableError(f"{file.name}: tensor {name!r} is described wrongly") from error
    if not whole or len(shape) > 64 or math.prod(shape) * bits != (end - start) * 8:
        raise UnreadableError(
            f"{file.name}: tensor {name!r} of shape {str(shape)[:80]} and type "
            f"{entry['dtype']} does not fill its bytes {start} to {end}"
        )
    return start, end


def _contiguous(file: SourceFile, spans: list[tuple[int, int, str]], room: int) -> None:
    at = 0
    for start, end, name in sorted(spans):
        if start != at:
            raise UnreadableError(f"{file.name}: tensor {name!r} begins at {start}, expected {at}")
        at = end
    if at != room:
        raise UnreadableError(f"{file.name}: its tensors end at {at}, its data at {room}")


def _absent(
    index: SourceFile, present: set[str], tensors: Mapping[str, Tensor]
) -> Iterator[Absent]:
    """What an index names and the folder lacks; a missing shard costs its tensors, no more."""
    weight_map = parse_object(read_bytes(index), index.name).get("weight_map")
    if not isinstance(weight_map, dict):
        raise UnreadableError(f"{index.name}: has no weight_map")
    folder = index.name.rpartition("/")[0]
    for tensor, shard in weight_map.items():
        name = f"{folder}/{shard}" if folder else str(shard)
        if name not in present or tensor not in tensors:
            yield Absent(tensor, name, index.name, name in present)
