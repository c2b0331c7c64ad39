"""What llama.cpp does by habit for the models and families that a GGUF file names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tokaudit.subject.upstream.llama_cpp.gguf_splits import BOS_FIRST
from tokaudit.subject.upstream.records import gguf_record


@dataclass(frozen=True, slots=True)
class Habits:
    """What is done for a file that says nothing else.

    >>> habits("llama", "", "gemma2")
    Habits(begins_with_bos=True, needs_bos=True, generates=True)
    """

    begins_with_bos: bool  # the engine, by the model or by the name of its splits
    needs_bos: bool  # models of the family, which were trained so
    generates: bool  # texts go on, so that an end after a prompt is the end of the answer


def habits(model: str, pre: str, family: str) -> Habits:
    """The habits by `tokenizer.ggml.model`, `tokenizer.ggml.pre` and `general.architecture`."""
    known = _record("models").get(model, {})
    return Habits(
        begins_with_bos=known.get("begins_with_bos", False) or pre in BOS_FIRST,
        needs_bos=_record("families").get(family, {}).get("needs_bos", False),
        generates=known.get("generates", False),
    )


@cache
def _record(kind: str) -> Mapping[str, Mapping[str, Any]]:
    found: Mapping[str, Mapping[str, Any]] = gguf_record()[kind]
    return found
