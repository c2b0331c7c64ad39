"""Rules by which engines accept a second tokenizer next to a first."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from tokaudit.subject.upstream.records import PURPOSES, hand_written


class Reads(StrEnum):
    """Files that an engine is given."""

    GGUF = "gguf"
    CONFIG = "config"  # a folder with config.json


class Asks(StrEnum):
    """One thing that an engine compares."""

    MODEL = "model"  # the kind of vocabulary
    BOS = "bos"  # whether it is added, and its id where it is
    EOS = "eos"
    SIZE = "size"
    TEXTS = "texts"  # of the tokens, id by id
    VOCAB_SIZE = "vocab_size"  # of the model, as its config states it


@dataclass(frozen=True, slots=True)
class EngineRule:
    """An engine's condition, its behaviour if unmet, and the source of both.

    One that asks nothing has no rule that was read; one that `translates` refuses nobody.
    """

    engine: str
    reads: Reads
    asks: tuple[Asks, ...]
    source: str
    refusal: str = ""
    sizes_within: int = 0
    texts_from: int = 0
    translates: bool = False


@cache
def engine_rules(purpose: str) -> tuple[EngineRule, ...]:
    """Return the rules for a purpose, one for each engine.

    >>> [rule.engine for rule in engine_rules("speculative")]
    ['llama.cpp', 'vLLM', 'transformers', 'SGLang']
    >>> engine_rules("cached-ids")
    ()
    """
    stated = hand_written(PURPOSES).get(purpose, {}).items()
    return tuple(_rule(engine, dict(said)) for engine, said in stated)


def _rule(engine: str, said: dict[str, Any]) -> EngineRule:
    reads, asks = Reads(said.pop("reads")), tuple(map(Asks, said.pop("asks")))
    return EngineRule(engine, reads, asks, **said)
