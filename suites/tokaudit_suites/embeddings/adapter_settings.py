"""LoRA settings that PEFT refuses, or that contradict the adapter's weights."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tokaudit.plugin import (
    Basis,
    Contents,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Severity,
    Subject,
    Tensor,
    check,
)
from tokaudit.subject.safe_json import pointer
from tokaudit.subject.upstream.versions import PEFT_RUN
from tokaudit.subject.weights import WeightHeaders
from tokaudit_suites.embeddings._adapter_files import CHANGED, SETTINGS, WEIGHTS
from tokaudit_suites.shared.listed_modules import parsed
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.wording import some

TYPE, LORA, TASK, BIAS, RANK = "peft_type", "LORA", "task_type", "bias", "r"
OF_PEFT = frozenset({TYPE, TASK, CHANGED, "base_model_name_or_path"})
"""Keys that the library writes, and others that have a file of this name do not."""
TASKS = ("SEQ_CLS", "SEQ_2_SEQ_LM", "CAUSAL_LM", "TOKEN_CLS", "QUESTION_ANS", "FEATURE_EXTRACTION")
BIASES = ("none", "all", "lora_only")
NUMBERS, PATTERNS = ("lora_alpha", "lora_dropout"), ("rank_pattern", "alpha_pattern")
RANK_BY_DEFAULT, DORA, MAGNITUDE = 8, "use_dora", "lora_magnitude_vector"
PART = re.compile(r"^base_model\.model\.(.+)\.lora_A\.(?:[^.]+\.)?weight$")
PLAIN_NAME, EVERY = re.compile(r"[\w.]+"), "all-linear"
PARAMETERS = "target_parameters"  # of experts, whose ranks are stacked
OBJECT, LONGEST = "_config", 60
OF_LORA = ("LORA", "ADALORA", "XLORA", "GLORA", "GRALORA", "TINYLORA", "UNILORA", "DELORA")
"""The methods whose names the library knows and whose weights may be called lora_A."""


@check(
    "embeddings/adapter-settings",
    title="An adapter's settings are those of its weights",
    why="PEFT builds the layers of an adapter as adapter_config.json says, and then fills them "
    "with the stored weights. PEFT refuses weights of another rank, and silently leaves out "
    "weights of layers that adapter_config.json does not name.",
    remedy="Set {pointer|the key} in {file|the file} to the value that fits the weights, or "
    "replace the file by the settings that belong to these weights.",
    repair=person_decides("whether the settings or the weights are of another adapter"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.WEIGHTS,
    incident="r is the number of rows of every lora_A: another one ends loading with 'size "
    "mismatch of lora_A (huggingface/peft #276).",
    no_example="The settings of an adapter are read with its own weights, which examples lack.",
)
def adapter_settings(
    subject: Subject, contents: Contents, weights: WeightHeaders
) -> Iterator[Finding]:
    """Check the values that PEFT refuses, then the weights of the same folder."""
    files = [file for file in subject.files if file.base == SETTINGS and not file.impostor]
    if not files:
        raise NotApplicable("no adapter is here")
    for file in files:
        stated = parsed(contents, file, dict)
        if OF_PEFT.isdisjoint(stated):
            continue
        folder = file.name.removesuffix(SETTINGS) + WEIGHTS
        own = {name: t for name, t in weights.tensors.items() if t.file.startswith(folder)}
        yield from _of_every_method(file.name, stated)
        if (
            isinstance(stated.get(TYPE), str)
            and stated[TYPE] not in OF_LORA
            and any(map(PART.match, own))
        ):
            yield _refused(file.name, stated, TYPE, f"{LORA}, the method of the weights")
        if stated.get(TYPE) == LORA:
            yield from _of_values(file.name, stated)
            yield from _of_weights(file.name, stated, own)


def _refused(file: str, stated: Mapping[str, Any], key: str, wanted: str) -> Finding:
    value = repr(stated[key])[:LONGEST] if key in stated else "left out"
    place = Place("config", file, pointer(key) if key in stated else "", stated.get(key))
    message = (
        f"{key} in {file} is {value}, and not {wanted}: peft {PEFT_RUN} does not load the adapter."
    )
    return Finding(Severity.ERROR, message, (place,), cause=key)


def _of_every_method(file: str, stated: Mapping[str, Any]) -> Iterator[Finding]:
    if not isinstance(stated.get(TYPE), str):
        yield _refused(file, stated, TYPE, "the name of a method")
    if stated.get(TASK) is not None and stated[TASK] not in TASKS:
        yield _refused(file, stated, TASK, f"one of {some(TASKS, len(TASKS))}")


def _of_values(file: str, stated: Mapping[str, Any]) -> Iterator[Finding]:
    if not (_is_number(stated.get(RANK, RANK_BY_DEFAULT)) and stated.get(RANK, 1) > 0):
        yield _refused(file, stated, RANK, "a number above zero")
    for key in NUMBERS:
        if not _is_number(stated.get(key, 0)):
            yield _refused(file, stated, key, "a number")
    for key in PATTERNS:
        if not isinstance(stated.get(key, {}), dict):
            yield _refused(file, stated, key, "an object")
    for key, value in stated.items():
        if key.endswith(OBJECT) and not (value is None or isinstance(value, dict)):
            yield _refused(file, stated, key, "an object or null")
    if stated.get(BIAS, BIASES[0]) not in BIASES:
        yield _refused(file, stated, BIAS, f"one of {some(BIASES)}")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _of_weights(
    file: str, stated: Mapping[str, Any], own: Mapping[str, Tensor]
) -> Iterator[Finding]:
    """Compare rank, magnitudes and layers of the settings with the weights."""
    layers = {found[1]: own[name] for name in own if (found := PART.match(name)) is not None}
    if not layers or stated.get(PARAMETERS):
        return
    rank, ranks = (
        stated.get(RANK, RANK_BY_DEFAULT),
        {t.shape[0] for t in layers.values() if t.shape},
    )
    if _is_number(rank) and not stated.get(PATTERNS[0]) and ranks != {rank}:
        shown = some([str(each) for each in sorted(ranks)])
        yield _unlike(file, stated, RANK, f"{RANK} is {rank}", f"have {shown} rows", layers)
    has = any(MAGNITUDE in name for name in own)
    if isinstance(stated.get(DORA, False), bool) and has != stated.get(DORA, False):
        what = "have magnitudes" if has else "have no magnitudes"
        yield _unlike(
            file, stated, DORA, f"{DORA} is {'true' if not has else 'false'}", what, layers
        )
    targets = stated.get(CHANGED)
    missed = [layer for layer in layers if not _takes(targets, layer)]
    if missed:
        said = f"{CHANGED} is {str(targets)[:LONGEST]!r}"
        yield _unlike(file, stated, CHANGED, said, f"are of {some(missed)} too", layers)


def _takes(targets: Any, layer: str) -> bool:
    """Return whether a layer is named; a pattern is not run, so it may name any layer."""
    if isinstance(targets, list):
        return any(layer == each or layer.endswith(f".{each}") for each in targets)
    plain = isinstance(targets, str) and targets != EVERY and PLAIN_NAME.fullmatch(targets)
    return not plain or targets.replace(".", "") == layer.replace(".", "")


def _unlike(
    file: str, stated: Mapping[str, Any], key: str, said: str, have: str, own: Mapping[str, Tensor]
) -> Finding:
    first = next(iter(own.values()))
    place = Place("config", file, pointer(key) if key in stated else "", stated.get(key))
    return Finding(
        Severity.ERROR,
        f"{said} in {file}, but the layers in {first.file} {have}: peft {PEFT_RUN} refuses these "
        "layers, or builds a model without the layers.",
        (place, Place("embeddings", first.file)),
        cause=f"{key} of the weights",
    )
