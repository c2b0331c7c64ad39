"""Weights that do not show the row count of their embedding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Severity,
    Skip,
    Tensor,
    check,
)
from tokaudit.subject.upstream.checkpoints import width_keys
from tokaudit.subject.weights import WeightHeaders, embedding_tensors, output_tensors, without_rows
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.embeddings._undecided import INTEGERS
from tokaudit_suites.shared.repairs import ROWS_AS_TRAINED, repaired, set_to
from tokaudit_suites.shared.stated_keys import StatedKeys
from tokaudit_suites.shared.wording import plural, some

ADAPTER, MODEL, GGUF = "adapter_model", "config.json", ".gguf"
OF_ANOTHER_WIDTH = ("auto_map", "quantization_config", "quantization", "compression_config")
"""Keys of a config whose model is built by its own code, or whose numbers are packed."""
PADDED = 1_024  # rows more than tokens that a matrix with a name of its own may have


@check(
    "embeddings/shape",
    title="The weights give the shape of the embedding",
    why="A tokenizer fits its checkpoint only if every id has an embedding row. If the checkpoint "
    "has no embedding, loaders stop or fill the matrix with random values. If no weight file can "
    "be read, the audit cannot decide whether every id has a row.",
    remedy="Save the weights as safetensors, or audit the folder that has them.",
    repair=ROWS_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.WEIGHTS,
    left_to_code=True,
    incident="A pickle in place of weights runs code when it is loaded; torch.load refuses one "
    "that names anything but tensors since version 2.6 (CVE-2025-32434).",
    required=True,
    no_example="The example would be a pickle, after which the check decides nothing.",
)
def shape(spec: TokenizerSpec, weights: WeightHeaders, keys: StatedKeys) -> Iterator[Finding]:
    """Report matrices without rows or of a wrong width; then look for the token embedding."""
    yield from _of_another_width(weights, keys)
    bare = without_rows(weights, spec.size())
    if bare:
        yield _bare(bare)
    refused = [each for each in weights.refused if not _is_adapter(each.file)]
    own = [file for file in weights.files if not _is_adapter(file)]
    if not (own or refused or bare):
        raise NotApplicable("only an adapter's weights are here")
    for each in refused:
        if each.runs_code:
            yield Finding(
                Severity.WARNING,
                f"{each.file} {each.reason}. Its tensors were not read.",
                (Place("file", each.file, "", each.reason),),
                cause="runs-code",
            )
    matrices = {**embedding_tensors(weights), **output_tensors(weights)}
    if bare or matrices or _of_the_size(spec, weights):
        return
    if weights.absent:
        raise Skip(f"not decided: {weights.absent[0].shard} is not here")
    if not refused and _without_room(spec, weights):
        raise NotApplicable("the tensors here are vectors with no room for an embedding")
    reasons = [f"{each.file} {each.reason}" for each in refused]
    known = f"none of {plural(len(weights.tensors), 'tensor')} is named as a token embedding is"
    raise Skip(f"the weights are here, but {some(reasons) if reasons else known}")


def _bare(tensors: Mapping[str, Tensor]) -> Finding:
    """Report a matrix saved without its rows, as from one of several devices."""
    shapes = [f"{name} has the shape {list(tensor.shape)}" for name, tensor in tensors.items()]
    return Finding(
        Severity.ERROR,
        f"{some(shapes)}, not one row for each token. This happens if a parameter is saved while "
        "its values are on other devices or split into parts.",
        tuple(
            Place("embeddings", tensor.file, name, list(tensor.shape))
            for name, tensor in tensors.items()
        ),
        remedy="Gather the parameters before saving (DeepSpeed: zero_to_fp32.py or "
        "stage3_gather_16bit_weights_on_model_save; FSDP: a full state dict), and save again.",
        cause="no rows",
    )


def _of_another_width(weights: WeightHeaders, keys: StatedKeys) -> Iterator[Finding]:
    """Report a matrix of tokens whose width matches no number of the config."""
    own = [key for key in keys.all if key.base == MODEL]
    width = next((key for name in width_keys() for key in own if key.key == name), None)
    if width is None or any(key.key in OF_ANOTHER_WIDTH for key in own):
        return
    stated = {number for key in own for number in _numbers(key.value)}
    matrices = embedding_tensors(weights)
    if weights.tensors.keys() <= matrices.keys() | output_tensors(weights).keys():
        return  # rows alone, without a layer that says how wide the model is
    for name, tensor in matrices.items():
        columns = tensor.shape[-1]
        own_word = _is_adapter(tensor.file) or tensor.file.endswith(GGUF)  # on their widths
        if tensor.dtype in INTEGERS or columns in stated or own_word:
            continue
        yield Finding(
            Severity.ERROR,
            f"{name} has {plural(columns, 'number')} in each row, but {width.key} in {width.file} "
            f"is {width.value}: loaders build a model of another width and refuse the weights.",
            (Place("embeddings", tensor.file, name, list(tensor.shape)), width.place()),
            remedy=f"Set {width.key} to the width of the weights, or take the weights that belong "
            "to this config.",
            cause="another width",
            repair=repaired(set_to(width.place(), columns)),
        )


def _numbers(value: Any) -> Iterator[int]:
    """Yield every whole number of a value, at any depth: each part of a model has a width."""
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _numbers(each)
    elif type(value) is int:
        yield value


def _is_adapter(file: str) -> bool:
    return file.rpartition("/")[2].startswith(ADAPTER)


def _of_the_size(spec: TokenizerSpec, weights: WeightHeaders) -> bool:
    """Return whether an unknown matrix has about as many rows as there are tokens."""
    size = spec.size()
    shapes = (tensor.shape for tensor in weights.tensors.values())
    return any(len(shape) == 2 and size <= shape[0] <= size + PADDED for shape in shapes)


def _without_room(spec: TokenizerSpec, weights: WeightHeaders) -> bool:
    """Return whether no tensor is a matrix, and all hold under two numbers for each token.

    A flattened checkpoint has vectors alone too, but long ones.
    """
    shapes = [tensor.shape for tensor in weights.tensors.values()]
    return sum(map(prod, shapes)) < 2 * spec.size() and all(len(shape) < 2 for shape in shapes)
