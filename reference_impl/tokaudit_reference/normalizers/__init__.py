"""Normalizers: text to text, before anything is split. They keep no alignment yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tokaudit_reference.normalizers import bert, precompiled, sentencepiece, simple
from tokaudit_reference.spec import Component, components_of
from tokaudit_reference.unsupported import Unsupported

Normalizer = Callable[[str], str]
BUILDERS: dict[str, Callable[[Mapping[str, Any]], Normalizer]] = {
    **simple.BUILDERS,
    "BertNormalizer": bert.build,
    "Precompiled": precompiled.build,
    "SentencePiece": sentencepiece.build,
}


def normalizer(component: Component) -> Normalizer:
    """The function of a normalizer component; raises `Unsupported` for a step it does not know.

    >>> normalizer(Component({"type": "Lowercase"}))("ABC")
    'abc'
    """
    steps = []
    for options in components_of(component, "normalizers"):
        kind = options.get("type", "")
        if kind not in BUILDERS:
            raise Unsupported(f"the normalizer {kind!r} is not covered", pointer="/normalizer")
        steps.append(BUILDERS[kind](options))

    def apply(text: str) -> str:
        for step in steps:
            text = step(text)
        return text

    return apply
