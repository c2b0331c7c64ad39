"""Defaults of llama.cpp for the models and families that a GGUF file names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from tokaudit.subject.upstream.llama_cpp.gguf_splits import split_named
from tokaudit.subject.upstream.records import CONVERTER, GGUF, hand_written


@dataclass(frozen=True, slots=True)
class GgufModel:
    """The engine's defaults for a model if the file says nothing else."""

    begins_with_bos: bool = False
    ends_with_eos: bool = False
    prefixes_space: bool = False  # a space before a text
    lowers: bool = False  # upper case becomes lower case, without accents
    cleans_up: bool = False  # decoding drops spaces before punctuation, whatever the split
    bos_always: bool = False  # BOS begins a text, whatever the flag says
    around_always: bool = False  # its first and last token, whatever the flags say
    splits_by_itself: bool = False  # by the rule of its own name, whatever split the file names
    generates: bool = False  # texts go on, so that an end after a prompt is the end of the answer
    ids: Mapping[str, int] = field(default_factory=dict)  # by role

    @property
    def around(self) -> tuple[bool, bool]:
        """Return whether a text gets BOS before it, and EOS after it."""
        return self.begins_with_bos or self.around_always, self.ends_with_eos

    @property
    def ends(self) -> tuple[int | None, int | None]:
        """Return the ids of BOS and EOS."""
        return self.ids.get("bos"), self.ids.get("eos")


@dataclass(frozen=True, slots=True)
class Habits:
    """The defaults for a file that says nothing else.

    >>> habits("llama", "", "gemma2")
    Habits(begins_with_bos=True, needs_bos=True, generates=True)
    """

    begins_with_bos: bool  # the engine, by the model or by the name of its splits
    needs_bos: bool  # models of the family, which were trained so
    generates: bool


def habits(model: str, pre: str, family: str) -> Habits:
    """Return defaults by `tokenizer.ggml.model`, `tokenizer.ggml.pre` and architecture."""
    known = gguf_model(model, pre)
    return Habits(known.begins_with_bos, needs_bos(family), known.generates)


def gguf_model(name: str, pre: str = "") -> GgufModel:
    """Return a model by name, with another's splits; empty if unknown.

    >>> gguf_model("gpt2").ends, gguf_model("gpt2", "glm4").ends
    ((11, 11), (None, 11))
    """
    known = every_model().get(name, GgufModel())
    split = split_named(name if known.splits_by_itself else pre)
    return replace(
        known,
        begins_with_bos=known.begins_with_bos or split.begins_with_bos or split.bos_always,
        bos_always=split.bos_always,
        ids={role: id for role, id in known.ids.items() if not (split.no_bos and role == "bos")},
    )


@cache
def every_model() -> Mapping[str, GgufModel]:
    """Map names to models with a record."""
    return {name: GgufModel(**said) for name, said in hand_written(GGUF)["models"].items()}


@cache
def converter_takes() -> Mapping[str, str]:
    """Map step names to the settings that llama.cpp's converter reads from them."""
    found: Mapping[str, str] = hand_written(CONVERTER)["takes"]
    return found


@cache
def converted_architectures() -> tuple[str, ...]:
    """Return endings of architectures that llama.cpp's converter accepts for text models."""
    return tuple(hand_written(CONVERTER)["architectures"])


def needs_bos(family: str) -> bool:
    """Return whether models of a family were trained with BOS before every text."""
    return family in families()


@cache
def families() -> frozenset[str]:
    """Return the families trained with BOS."""
    stated = hand_written(GGUF)["families"].items()
    return frozenset(name for name, said in stated if said["needs_bos"])
