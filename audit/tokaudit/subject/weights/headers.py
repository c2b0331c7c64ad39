"""Headers of all weight files of a subject: names, types, shapes and places of tensors.

Files of torch are read where no other file has weights, as loaders prefer the others too, a
distributed checkpoint where there are none of them, and models of ONNX where there is neither.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tokaudit.foundation.errors import NotApplicable, UnreadableError
from tokaudit.subject.formats import all_formats
from tokaudit.subject.material import SourceFile, Subject, TranslationSide, read_bytes
from tokaudit.subject.safe_json import parse_object
from tokaudit.subject.sniff import (
    DISTRIBUTED,
    GIT_LFS,
    INDEX_OF_TORCH,
    INDEX_OF_WEIGHTS,
    ONNX,
    PARTS,
    TORCH,
    UNREAD_WEIGHTS,
    is_weights,
    role_of,
)
from tokaudit.subject.tensors import Tensor
from tokaudit.subject.upstream.checkpoints import (
    bias_names,
    embedding_names,
    output_names,
    stated_rows,
    whole_embedding_names,
)
from tokaudit.subject.weights.safetensors import header
from tokaudit.subject.weights.torch_records import ForeignName

LANGUAGE = re.compile(r"(?:^|/)adapter\.([^/.]+)\.safetensors$")  # of Wav2Vec2 for a language
SLICE = re.compile(r"(^|/)consolidated\.\d+\.pth$")  # of a tensor-parallel model

NO_WEIGHTS = "no weight files were found"
ONLY_POINTERS = "the weights are only git-lfs pointers"


@dataclass(frozen=True, slots=True)
class Absent:
    """A tensor in an index whose shard is missing or lacks it."""

    tensor: str
    shard: str
    index: str
    shard_is_here: bool
    is_name: bool = True  # a text that can be the name of a file


@dataclass(frozen=True, slots=True)
class Refused:
    """A weights file that was not read, and the reason."""

    file: str
    reason: str
    runs_code: bool = False  # it names what is no part of a tensor, which loading it would run


@dataclass(frozen=True)
class WeightHeaders:
    """Every tensor of the subject by name, over all its shards."""

    tensors: Mapping[str, Tensor]
    files: tuple[str, ...]
    absent: tuple[Absent, ...] = ()
    refused: tuple[Refused, ...] = ()
    others: tuple[tuple[str, Tensor], ...] = ()  # of a name, in a later file with another shape
    foreign: frozenset[str] = frozenset()  # named as tables of tokens, with rows of something else
    languages: Mapping[str, Mapping[str, Tensor]] = field(default_factory=dict)
    """The tensors that a speech model takes for a language, by its code, in place of its own."""


def read_headers(subject: Subject) -> WeightHeaders:
    """Read the headers of the subject's weight files, and of single-file models.

    Raises `NotApplicable` where there are none, or only pointers to them, and `UnreadableError` for
    a safetensors header that lies.  A file of torch that cannot be read is among the `refused`.
    """
    if not_fetched(subject):
        raise NotApplicable(ONLY_POINTERS)
    files = _of_role(subject, "weights")
    described = {file.name: header(file) for file in files} | _in_models(subject)
    refused: list[Refused] = []
    indices = _of_role(subject, INDEX_OF_WEIGHTS)
    if not described and not indices:
        described, refused = _of_others(subject)
        indices = _of_role(subject, INDEX_OF_TORCH)
    if not described and not refused and not indices:
        raise NotApplicable(NO_WEIGHTS)
    models = {file.name for file in _of_role(subject, ONNX)}  # each is whole, in its own precision
    tensors: dict[str, Tensor] = {}
    others: list[tuple[str, Tensor]] = []
    spoken = {each[1]: each.string for each in map(LANGUAGE.search, described) if each}
    for found in (found for file, found in described.items() if file not in spoken.values()):
        for name, tensor in found.items():
            first = tensors.setdefault(name, tensor)
            if first.shape != tensor.shape and tensor.file not in models:
                others.append((name, tensor))
    absent = [lost for index in indices for lost in _absent(index, set(described), tensors)]
    mine = {name: found for name, found in tensors.items() if _is_of(subject.side, name)}
    foreign = _foreign(subject, mine)
    return WeightHeaders(
        mine,
        tuple(described),
        tuple(absent),
        tuple(refused),
        tuple(others),
        foreign,
        {language: described[file] for language, file in spoken.items()},
    )


def _foreign(subject: Subject, tensors: Iterable[str]) -> frozenset[str]:
    """Return the tensors whose rows are not tokens, such as codes of a speech model."""
    fact = subject.fact("model_type")
    model = "" if fact is None else str(fact.value)
    rows = [row for row in stated_rows().values() if row.foreign and row.is_of(model, ())]
    return frozenset(name for name in tensors if any(row.names(name) for row in rows))


def _of_role(subject: Subject, role: str) -> list[SourceFile]:
    return [file for file in subject.files if file.role == role]


def _of_others(subject: Subject) -> tuple[dict[str, Mapping[str, Tensor]], list[Refused]]:
    """Read the tensors of the first other format in the folder, and the files not read."""
    described: dict[str, Mapping[str, Tensor]] = {}
    refused = []
    files = [f for f in subject.files if is_weights(f.role) and f.role != "weights"]
    slices = [file for file in files if SLICE.search(file.name)]
    here = {file.role for file in files}
    role = next((each for each in (TORCH, DISTRIBUTED, ONNX) if each in here), "")
    for file in files:
        if len(slices) > 1 and file in slices:
            refused.append(Refused(file.name, f"is one of {len(slices)} slices of each tensor"))
        elif file.role == UNREAD_WEIGHTS or (file.role == PARTS and DISTRIBUTED not in here):
            refused.append(Refused(file.name, "weights of this format are not read"))
        elif file.role == role:
            try:
                described[file.name] = _reader(role)(file)
            except UnreadableError as error:
                why = str(error).removeprefix(f"{file.name}: ")
                refused.append(Refused(file.name, why, isinstance(error, ForeignName)))
    return described, refused


def _reader(role: str) -> Callable[[SourceFile], Mapping[str, Tensor]]:
    """Return the reader of a rare format, imported on demand."""
    if role == TORCH:
        from tokaudit.subject.weights.torch_file import torch_tensors

        return torch_tensors
    if role == DISTRIBUTED:
        from tokaudit.subject.weights.torch_distributed import distributed_tensors

        return distributed_tensors
    from tokaudit.subject.weights.onnx_file import onnx_tensors

    return onnx_tensors


def not_fetched(subject: Subject) -> list[SourceFile]:
    """Return the weight files that are only git-lfs pointers."""
    return [file for file in weight_files(subject) if file.impostor == GIT_LFS]


def weight_files(subject: Subject) -> list[SourceFile]:
    """Return the files that hold weights by name, whatever their first bytes."""
    return [
        file
        for file in subject.files
        if is_weights(role_of(file.known, b"")) or file.known.endswith(".gguf")
    ]


def _is_of(side: TranslationSide, name: str) -> bool:
    """Return whether a tensor belongs to this side; the head belongs to the decoder's."""
    if side.not_of == "decoder" and ends_with(name, (*output_names(), *bias_names())):
        return False
    return not side.not_of or side.not_of not in name.split(".")


def _in_models(subject: Subject) -> dict[str, Mapping[str, Tensor]]:
    """Read the tensors of files that hold both a vocabulary and weights."""
    readers = {format.name: format.tensors for format in all_formats() if format.tensors}
    found = {f.name: readers[f.role](f) for f in subject.files if f.role in readers}
    return {name: tensors for name, tensors in found.items() if tensors}


def embedding_tensors(headers: WeightHeaders) -> dict[str, Tensor]:
    """Return the tensors with a row for each input id."""
    named = _named(headers, embedding_names())
    alone = {name: headers.tensors.get(name) for name in whole_embedding_names()}
    return named or {name: t for name, t in alone.items() if t and len(t.shape) == 2}


def output_tensors(headers: WeightHeaders) -> dict[str, Tensor]:
    """Return the tensors with a row for each output id, none in a numbered layer."""
    named = _named(headers, output_names())
    return {name: t for name, t in named.items() if not any(map(str.isdigit, name.split(".")))}


def without_rows(headers: WeightHeaders, tokens: int) -> dict[str, Tensor]:
    """Return such tensors that are empty, or a flat list for all tokens.

    Training over several devices leaves an empty tensor where a parameter is elsewhere, and a flat
    one where it is cut into parts.
    """
    ends = (*embedding_names(), *output_names())
    return {
        name: tensor
        for name, tensor in headers.tensors.items()
        if ends_with(name, ends)
        and (0 in tensor.shape or (len(tensor.shape) == 1 and tensor.shape[0] >= 2 * tokens))
    }


def output_biases(headers: WeightHeaders) -> dict[str, Tensor]:
    """Return the tensors with one number for each output id."""
    names = bias_names()
    return {name: t for name, t in headers.tensors.items() if t.shape and ends_with(name, names)}


def _named(headers: WeightHeaders, endings: Iterable[str]) -> dict[str, Tensor]:
    ends = tuple(endings)
    return {
        name: tensor
        for name, tensor in headers.tensors.items()
        if len(tensor.shape) == 2 and ends_with(name, ends) and name not in headers.foreign
    }


def ends_with(name: str, endings: Iterable[str]) -> bool:
    """Return whether the last parts of a tensor's name are one of `endings`.

    >>> [ends_with(f"{n}.weight", output_names()) for n in ("model.lm_head", "film_head")]
    [True, False]
    """
    return any(("." + name).endswith("." + end) for end in endings)


def _absent(
    index: SourceFile, present: set[str], tensors: Mapping[str, Tensor]
) -> Iterator[Absent]:
    """Yield tensors of an index that the folder lacks; a missing shard costs only its own."""
    weight_map = parse_object(read_bytes(index), index.name).get("weight_map")
    if not isinstance(weight_map, dict):
        raise UnreadableError(f"{index.name}: the key 'weight_map' is missing, or is not an object")
    folder = index.name.rpartition("/")[0]
    for tensor, shard in weight_map.items():
        name = f"{folder}/{shard}" if folder else str(shard)
        if name not in present or tensor not in tensors:
            is_name = isinstance(shard, str) and "\0" not in shard
            yield Absent(tensor, name, index.name, name in present, is_name)
