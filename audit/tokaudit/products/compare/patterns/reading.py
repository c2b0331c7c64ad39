"""Convert a pre-tokenizer's declared steps to the splits that the prover supports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tokaudit.products.compare.patterns.splits import PreTokenizer, Split
from tokaudit.products.compare.patterns.tree import Dialect
from tokaudit.products.compare.patterns.verdicts import Undecidable
from tokaudit_reference.steps.component import Component
from tokaudit_reference.steps.pattern import SplitAt
from tokaudit_reference.steps.step import Step


def read(options: Mapping[str, Any] | None) -> PreTokenizer:
    """Read the splits of a tokenizer.json; raise Undecidable for a step that does more.

    >>> read({"type": "Digits"})
    Traceback (most recent call last):
    tokaudit.products.compare.patterns.verdicts.Undecidable: the pre-tokenizer Digits
    """
    return read_steps(Component(options).at("pre_tokenizer").steps)


def read_steps(steps: Iterable[Step]) -> PreTokenizer:
    """Read the splits of some steps; raise Undecidable for one that does more than split."""
    found: list[Split] = []
    after_bytes = False
    for step in steps:
        if after_bytes:  # each byte is a character now, and what follows sees these
            raise Undecidable(f"{step.type} after a step that writes bytes")
        if step.effects.splits is None:
            raise Undecidable(f"the pre-tokenizer {step.type}")
        found += map(_split, step.effects.splits)
        after_bytes = step.effects.writes_bytes
    return tuple(found)


def _split(at: SplitAt) -> Split:
    dialect = Dialect.RUST if at.rust else Dialect.PYTHON if at.python else Dialect.ONIGURUMA
    return Split(at.pattern.text, dialect, at.behavior, at.invert, not at.pattern.is_regex)
