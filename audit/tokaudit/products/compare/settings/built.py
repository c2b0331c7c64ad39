"""The settings that are in a spec already, as a class builds the pipeline of bare files by them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tokaudit.engine.sides.side import Side
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit.subject.upstream.own_code import own_class
from tokaudit.subject.upstream.pipeline import family, settings_of
from tokaudit_reference.spec import Standing


def is_built_by_class(side: Side) -> bool:
    """Whether the pipeline of a side is what its class builds for the files that are there."""
    return bool(_family_of(side))


def settings_built(side: Side) -> frozenset[str]:
    """The settings by which the class of a side built the pipeline of its spec."""
    name = _family_of(side)
    return settings_of(family(name)) if name else frozenset()


def _family_of(side: Side) -> str:
    named = None if side.subject is None or own_class(side.subject) else class_of(side.subject)
    if named is None or named.known is None:
        return ""
    steps = side.spec.normalizer, side.spec.pre_tokenizer, side.spec.decoder
    built = any(step.standing is Standing.IMPLIED for step in steps)
    return named.known.pipelines.of_files if built else ""


def contents(value: Any) -> Iterator[str]:
    """The texts of the tokens that a setting names: one, a list, a table, or names of them.

    >>> [*contents(["<s>", {"content": "</s>"}]), *contents({"0": {"content": "a"}})]
    ['<s>', '</s>', 'a']
    """
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict) and "content" in value:
        yield from contents(value["content"])
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from contents(each)
