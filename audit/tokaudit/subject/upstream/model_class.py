"""Tasks of models, by the names of their classes, or else of their tokenizers."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import cache

from tokaudit.subject.material import Subject
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit.subject.upstream.records import CHECKPOINTS, hand_written, type_names
from tokaudit.subject.upstream.tokenizer_class import input_of

MODULES = "modules.json"  # of sentence-transformers
AFTER_KIND = ("For", "Model", "LMHead")  # what follows the kind of model in a class's name


class Does(StrEnum):
    """A task of a class of models."""

    WRITES = "writes"  # with a head over the vocabulary
    DECODES_ALONE = "decodes alone"
    FILLS_GAPS = "fills gaps"
    SPELLS_SOUND = "spells sound"  # and is given no tokens, so that it has no rows for any


@cache
def endings(does: Does) -> tuple[str, ...]:
    """Return the name endings of classes for a task.

    >>> endings(Does.FILLS_GAPS)
    ('ForMaskedLM',)
    """
    known = hand_written(CHECKPOINTS)["heads"].items()
    return tuple(end for end, said in known if does in said)


def model_classes(subject: Subject) -> list[str]:
    """Return the classes that a config names for its model."""
    fact = subject.fact("architectures")
    named = fact.value if fact is not None and isinstance(fact.value, list) else []
    return [str(name) for name in named]


def type_of_class(name: str) -> str:
    """Return the model type with a class of this name; empty if there is none.

    >>> type_of_class("XLMRobertaForMaskedLM"), type_of_class("GPT2LMHeadModel")
    ('xlm-roberta', 'gpt2')
    >>> type_of_class("OwnModel")
    ''
    """
    stems = (name[:at].lower() for end in AFTER_KIND if (at := name.find(end)) > 0)
    return next((_types()[stem] for stem in stems if stem in _types()), "")


@cache
def _types() -> dict[str, str]:
    """Map plain lower-case names, as in classes, to model types."""
    return {name.replace("_", "").replace("-", "").lower(): name for name in type_names()}


def one_of(names: Iterable[str], does: Does) -> bool:
    """Return whether one of some classes does the task."""
    return any(name.endswith(endings(does)) for name in names)


def generates(subject: Subject) -> bool | None:
    """Return whether the model has a vocabulary head; None if no config states its type.

    What modules.json builds gives vectors, also of a model whose config names a head.
    """
    if any(file.base == MODULES for file in subject.files):
        return False
    if names := model_classes(subject):
        return one_of(names, Does.WRITES)
    named = class_of(subject)
    return False if named is not None and not input_of(named.name).has_head else None
