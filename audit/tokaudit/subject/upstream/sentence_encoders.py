"""The needs of sentence-transformers for an encoder, and its defaults if nothing is stated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tokaudit.subject.upstream.records import ENCODERS, hand_written


@cache
def modules_with_config() -> frozenset[str]:
    """The kinds of modules that cannot be built without their config.json.

    >>> "Pooling" in modules_with_config(), "Normalize" in modules_with_config()
    (True, False)
    """
    stated = hand_written(ENCODERS)["modules"].items()
    return frozenset(kind for kind, said in stated if said["needs_config"])


@dataclass(frozen=True, slots=True)
class TermWeights:
    """The tensor of a module with a number for each id, and the file with a map of the same."""

    tensor: str
    file: str


@cache
def modules_with_term_weights() -> Mapping[str, TermWeights]:
    """The kinds of modules that look a number up by the id of a token.

    >>> modules_with_term_weights()["SparseStaticEmbedding"]
    TermWeights(tensor='weight', file='idf.json')
    """
    stated = hand_written(ENCODERS)["modules"].items()
    return {
        kind: TermWeights(said["term_weights"], said["of_terms"])
        for kind, said in stated
        if "term_weights" in said
    }


@cache
def prompts_of_every_encoder() -> frozenset[str]:
    """The prompts that there are where the file states none."""
    stated = hand_written(ENCODERS)["prompts"].items()
    return frozenset(name for name, said in stated if said["always"])
