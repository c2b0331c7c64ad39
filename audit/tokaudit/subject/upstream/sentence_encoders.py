"""The modules that sentence-transformers builds encoders of, and its defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from tokaudit.subject.upstream.records import ENCODERS, hand_written


class Counts(StrEnum):
    """A thing that is counted for the width of the vectors that leave a module."""

    NUMBER = "the number"
    ENTRIES = "entries"
    DIFFERENT = "different entries"
    TWO = "two if so"
    MODES = "modes of pooling"
    TAKEN = "what is taken"
    MODEL = "of the model"
    VOCABULARY = "of the vocabulary"


@dataclass(frozen=True, slots=True)
class Factor:
    """A factor of a width: what is counted, of which key, and how much if none is stated."""

    counts: Counts
    key: str = ""
    default: int | None = None


@dataclass(frozen=True, slots=True)
class EncoderModule:
    """The needs of a kind of module, and the widths that it takes and gives."""

    needs_config: bool = False
    config: str = "config.json"
    reads: str = ""
    takes: str = ""
    multiplies: bool = False  # so that vectors of another width are refused
    writes: str = ""
    gives: tuple[Factor, ...] = ()
    tensors: Mapping[str, tuple[str, ...]] | None = None
    term_weights: str = ""  # the tensor with a number for each id
    of_terms: str = ""  # the file with a map of the same


@cache
def encoder_modules() -> Mapping[str, EncoderModule]:
    """Each kind of module by the name of its class.

    >>> encoder_modules()["Dense"].takes, encoder_modules()["Normalize"].needs_config
    ('in_features', False)
    """
    return {kind: _module(said) for kind, said in hand_written(ENCODERS)["modules"].items()}


def _module(said: Mapping[str, Any]) -> EncoderModule:
    factors = (
        Factor(Counts(each["counts"]), each.get("key", ""), each.get("default"))
        for each in said.get("gives", ())
    )
    tensors = {name: tuple(axes) for name, axes in said.get("tensors", {}).items()}
    return EncoderModule(**{**said, "gives": tuple(factors), "tensors": tensors})


@cache
def older_names() -> Mapping[str, str]:
    """The name that older versions wrote for a key, by its name of today."""
    found: Mapping[str, str] = hand_written(ENCODERS)["renamed"]
    return found


@cache
def values_taken() -> Mapping[str, tuple[str, ...]]:
    """The values of each key without which the library does not build what the folder says.

    >>> "Pooling" in values_taken()["type"], "dot" in values_taken()["similarity_fn_name"]
    (True, True)
    """
    said = {key: tuple(values) for key, values in hand_written(ENCODERS)["taken"].items()}
    return {**said, "type": (*encoder_modules(), *said.get("type", ()))}


@cache
def encoder_outputs() -> Mapping[str, str]:
    """The kind of vectors by the task of a model, where it is not that of tokens."""
    found: Mapping[str, str] = hand_written(ENCODERS)["outputs"]
    return found


@cache
def encoder_settings() -> tuple[str, ...]:
    """The settings files of the model in the order in which they are looked for."""
    return tuple(hand_written(ENCODERS)["settings"])


@cache
def pooling_switches() -> Mapping[str, str]:
    """Each switch of older versions with its mode, in the order in which vectors are joined."""
    found: Mapping[str, str] = hand_written(ENCODERS)["pooling"]
    return found


@cache
def prompts_of_every_encoder() -> frozenset[str]:
    """The prompts that there are where the file states none."""
    stated = hand_written(ENCODERS)["prompts"].items()
    return frozenset(name for name, said in stated if said["always"])
