"""Reads the steps of a pre-tokenizer as the splits that the prover knows.

Known are Split, in each dialect, and ByteLevel.  All others are named in the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tokaudit.comparison.patterns.splits import BYTE_LEVEL, PreTokenizer, Split
from tokaudit.comparison.patterns.tree import Dialect
from tokaudit.comparison.patterns.verdicts import Undecidable
from tokaudit_reference.steps.component import Component
from tokaudit_reference.steps.pre_tokenizers.byte_level import ByteLevel
from tokaudit_reference.steps.pre_tokenizers.split import Split as SplitStep
from tokaudit_reference.steps.step import Step


def read(component: Mapping[str, Any] | None) -> PreTokenizer:
    """The splits that a tokenizer.json states; raises Undecidable for what is not followed.

    >>> read({"type": "ByteLevel", "add_prefix_space": False}) == (BYTE_LEVEL,)
    True
    >>> read({"type": "BertPreTokenizer"})
    Traceback (most recent call last):
    tokaudit.comparison.patterns.verdicts.Undecidable: the pre-tokenizer BertPreTokenizer
    """
    return read_steps(Component(component).at("pre_tokenizer").steps)


def read_steps(steps: Iterable[Step]) -> PreTokenizer:
    """The splits of some steps; raises Undecidable for what is not followed."""
    splits: list[Split] = []
    after_bytes = False
    for step in steps:
        if after_bytes:
            # ByteLevel puts a character for each byte, and what follows sees these.
            raise Undecidable(f"{step.type} behind ByteLevel")
        if isinstance(step, SplitStep):
            splits.append(_split(step))
        elif isinstance(step, ByteLevel):
            after_bytes = True
            if step.add_prefix_space:
                raise Undecidable("ByteLevel's add_prefix_space")
            splits += [BYTE_LEVEL] if step.use_regex else []
        else:
            raise Undecidable(f"the pre-tokenizer {step.type[:40]}")
    return tuple(splits)


def _split(step: SplitStep) -> Split:
    dialect = Dialect.RUST if step.rust else Dialect.PYTHON if step.python else Dialect.ONIGURUMA
    literal = not step.pattern.is_regex
    return Split(step.pattern.text, dialect, step.behavior, step.invert, literal)
