"""Modules that sentence-transformers builds encoders from, and its defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from tokaudit.subject.upstream.records import ENCODERS, hand_written


class Counts(StrEnum):
    """The source of a module's output width."""

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
    """A factor of a width: what it counts, its key, and its default."""

    counts: Counts
    key: str = ""
    default: int | None = None


@dataclass(frozen=True, slots=True)
class EncoderModule:
    """The needs of a kind of module, and its input and output widths."""

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
    """Map class names to kinds of modules.

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
    """Map current names of keys to older ones."""
    found: Mapping[str, str] = hand_written(ENCODERS)["renamed"]
    return found


@cache
def values_taken() -> Mapping[str, tuple[str, ...]]:
    """Return the values of keys without which the library builds another encoder.

    >>> "Pooling" in values_taken()["type"], "dot" in values_taken()["similarity_fn_name"]
    (True, True)
    """
    said = {key: tuple(values) for key, values in hand_written(ENCODERS)["taken"].items()}
    return {**said, "type": (*encoder_modules(), *said.get("type", ()))}


@cache
def encoder_outputs() -> Mapping[str, str]:
    """Return the kind of vectors by the task of a model, if it is not that of tokens."""
    found: Mapping[str, str] = hand_written(ENCODERS)["outputs"]
    return found


@cache
def encoder_settings() -> tuple[str, ...]:
    """Return the settings files of the model, in the order of lookup."""
    return tuple(hand_written(ENCODERS)["settings"])


@cache
def pooling_switches() -> Mapping[str, str]:
    """Map older switches to their modes, in joining order."""
    found: Mapping[str, str] = hand_written(ENCODERS)["pooling"]
    return found


@cache
def prompts_of_every_encoder() -> frozenset[str]:
    """Return the prompts that exist even if the file states none."""
    stated = hand_written(ENCODERS)["prompts"].items()
    return frozenset(name for name, said in stated if said["always"])
