"""Rows that an adapter's settings promise and its weights lack."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Place, Severity, Tensor, check
from tokaudit.subject.weights import WeightHeaders
from tokaudit_suites.embeddings._adapter_files import (
    CHANGED,
    DELTA,
    ROWS,
    SETTINGS,
    TIES,
    WEIGHTS,
    WHOLE,
)
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.stated_key import StatedKey
from tokaudit_suites.shared.stated_keys import StatedKeys

OF_ROWS = ("embed_tokens", "lm_head")  # EMBEDDING_LAYER_NAMES of peft, utils/constants.py


@check(
    "embeddings/saved-rows",
    title="Adapter rows are those its settings name",
    why="The embedding rows of new tokens exist only in the adapter. If the adapter does not "
    "contain the rows of new tokens, the base model gets random rows for turn markers, and "
    "answers as if there were no markers.",
    remedy="Save the adapter with these layers, or use a checkpoint that has them.",
    repair=person_decides(
        "the missing rows have to come from the full weights, which are not here"
    ),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.WEIGHTS,
    incident="modules_to_save and trainable_token_indices name what is saved besides the adapter's "
    "own layers (peft 0.17.1, utils/save_and_load.py get_peft_model_state_dict). An embedding "
    "among the target modules was silently dropped (unslothai/unsloth PR#9331).",
    no_example="The settings of an adapter are read with its own weights, which examples lack.",
)
def saved_rows(keys: StatedKeys, weights: WeightHeaders) -> Iterator[Finding]:
    """Look for a tensor of each named layer, and for the rows of single tokens."""
    own = {
        n: t for n, t in weights.tensors.items() if t.file.rpartition("/")[2].startswith(WEIGHTS)
    }
    stated = {key.key: key for key in keys.all if key.base == SETTINGS and key.value}
    if not own or not stated.keys() & {WHOLE, ROWS, CHANGED}:
        raise NotApplicable("no adapter is here whose settings name rows")
    parts = {part for name in own for part in name.split(".")}  # to find layers by name
    if (layers := stated.get(CHANGED)) is not None and TIES not in stated:
        yield from _unchanged(layers, own, parts)
    if (layers := stated.get(WHOLE)) is not None and isinstance(layers.value, list):
        for layer in layers.value:
            if isinstance(layer, str) and layer.rpartition(".")[2] not in parts:
                yield _lost(layers, own, f"names the layer {layer[:60]!r}, but no tensor of")
    if (rows := stated.get(ROWS)) is not None:
        have = [t.shape[0] for name, t in own.items() if name.endswith(DELTA) and t.shape]
        wanted = _count(rows.value)
        if wanted not in (have or [0]):  # no tensor at all is 0 rows
            said = f"names {wanted:,} tokens, but {', '.join(map(str, have)) or 'no'} rows are in"
            yield _lost(rows, own, said)


def _unchanged(
    layers: StatedKey, own: Mapping[str, Tensor], parts: Collection[str]
) -> Iterator[Finding]:
    """Report layers that should be trained but have no weights in the adapter."""
    named = layers.value if isinstance(layers.value, list) else []
    for layer in (each for each in named if isinstance(each, str)):
        if layer.rpartition(".")[2] in OF_ROWS and layer.rpartition(".")[2] not in parts:
            said = f"names the layer {layer[:60]!r}, but no tensor of"
            lost = _lost(layers, own, said)
            message = f"{lost.message[:-1]}, or changes nothing there."
            yield replace(lost, severity=Severity.WARNING, message=message)


def _count(value: Any) -> int:
    """Count the tokens in a list; of several layers, those of the first."""
    listed = next(iter(value.values()), []) if isinstance(value, Mapping) else value
    return len(listed) if isinstance(listed, list) else 0


def _lost(key: StatedKey, own: Mapping[str, Tensor], problem: str) -> Finding:
    file = next(iter(own.values())).file
    return Finding(
        Severity.ERROR,
        f"{key.key} in {key.file} {problem} {file}: the adapter lacks them.",
        (key.place(), Place("embeddings", file)),
        cause=key.key,
    )
