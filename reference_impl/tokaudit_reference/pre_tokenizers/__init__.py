"""Pre-tokenizers: a text to the pieces of text that the model sees one at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tokaudit_reference.pre_tokenizers import byte_level, classes, metaspace, split
from tokaudit_reference.spec import Component, components_of
from tokaudit_reference.unsupported import Unsupported

# (text, whether it begins the original text) -> pieces
Step = Callable[[str, bool], list[str]]
BUILDERS: dict[str, Callable[[Mapping[str, Any]], Step]] = {
    "Split": split.build,
    "ByteLevel": byte_level.build,
    "Metaspace": metaspace.build,
    **classes.BUILDERS,
}


def pre_tokenizer(component: Component) -> Step:
    """The function of a pre-tokenizer component; raises `Unsupported` for what it cannot do.

    >>> pre_tokenizer(Component({"type": "WhitespaceSplit"}))(" a b ", True)
    ['a', 'b']
    """
    steps: list[Step] = []
    options_of = components_of(component, "pretokenizers")
    for place, options in enumerate(options_of):
        kind = options.get("type", "")
        if kind not in BUILDERS:
            text = f"the pre-tokenizer {kind!r} is not covered"
            raise Unsupported(text, pointer="/pre_tokenizer")
        if kind == "ByteLevel" and place < len(options_of) - 1:
            text = "a pre-tokenizer after ByteLevel is not covered"
            raise Unsupported(text, pointer="/pre_tokenizer")
        steps.append(BUILDERS[kind](options))

    def apply(text: str, first: bool) -> list[str]:
        pieces = [(text, first)]
        for step in steps:
            pieces = [new for old, begins in pieces for new in _step(step, old, begins)]
        return [piece for piece, _ in pieces if piece]

    return apply


def _step(step: Step, text: str, first: bool) -> list[tuple[str, bool]]:
    """Only the first piece of the first text begins the original."""
    found = step(text, first)
    return [(piece, first and index == 0) for index, piece in enumerate(found)]
