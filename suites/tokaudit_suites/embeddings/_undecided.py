"""Matrices whose row count is not in a header: quantised, or in a missing shard.

Some formats pack a matrix along one axis or the other under another name; bitsandbytes packs two
4-bit values into a byte and flattens the matrix to one column under the plain name.  Eight-bit and
MLX matrices keep a row for each id: a scale for each row proves that.  This is not a check: it
raises `Skip` for the checks.
"""

from __future__ import annotations

from collections.abc import Iterable

from tokaudit.plugin import Skip, Subject, Tensor
from tokaudit.subject.upstream.checkpoints import packed_names, scale_names
from tokaudit.subject.weights import WeightHeaders, ends_with

INTEGERS = frozenset({"U8", "I8", "U16", "I16", "U32", "I32", "U64", "I64"})


def refuse(weights: WeightHeaders, endings: Iterable[str]) -> None:
    """Raise `Skip` if one of these matrices is quantised, or in a missing shard."""
    if reason := undecided(weights, endings):
        raise Skip(f"not decided: {reason}")


def undecided(weights: WeightHeaders, endings: Iterable[str]) -> str:
    """Explain why the headers do not show the rows of these matrices; empty if they do."""
    ends = tuple(endings)
    if reason := quantised(weights, ends):
        return reason
    for lost in weights.absent:
        if ends_with(lost.tensor, (*ends, *_packed(ends))):
            why = "which does not hold it" if lost.shard_is_here else "which is not here"
            return f"{lost.tensor} belongs in {lost.shard}, {why}"
    return ""


def quantised(weights: WeightHeaders, endings: Iterable[str]) -> str:
    """Name the packed tensor of one of these matrices, with its type; empty if there is none."""
    ends = tuple(endings)
    for name, tensor in weights.tensors.items():
        plain = ends_with(name, ends) and tensor.dtype in INTEGERS
        if ends_with(name, _packed(ends)) or (plain and not _row_for_each_id(weights, name)):
            return f"{name} is quantised ({tensor.dtype}), and its shape does not tell the rows"
    return ""


def refuse_unknown_layout(subject: Subject) -> None:
    """Raise `Skip` if a config says that the weights are quantised, in any layout."""
    fact = subject.fact("quantization_config", "quantization")
    if fact is not None and fact.value:
        raise Skip(
            f"not decided: {fact.file} states a {fact.name}, so the output matrix may be stored "
            "under other names"
        )


def _packed(ends: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{end.removesuffix('.weight')}.{form}" for end in ends for form in packed_names())


def _row_for_each_id(weights: WeightHeaders, name: str) -> bool:
    module, rows = name.removesuffix(".weight"), _rows(weights.tensors[name])
    scales = (weights.tensors.get(f"{module}.{scale}") for scale in scale_names())
    return any(tensor is not None and _rows(tensor) == rows for tensor in scales)


def _rows(tensor: Tensor) -> int:
    return tensor.shape[0] if tensor.shape else 0
