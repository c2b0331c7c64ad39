"""Proves that the steps of a stage act alike, or that added tokens do."""

from __future__ import annotations

from tokaudit.engine.canonical_steps import acting_steps, acting_tokens
from tokaudit.report.comparison import Certificate, Proof
from tokaudit_reference.spec import TokenizerSpec


def steps_act_alike(first: TokenizerSpec, second: TokenizerSpec, stage: str) -> Certificate | None:
    """The proof that a stage does the same on both sides, by its steps in their plainest form."""
    same = acting_steps(first, stage) == acting_steps(second, stage)
    return Certificate(Proof.ACTS_ALIKE) if same else None


def tokens_act_alike(first: TokenizerSpec, second: TokenizerSpec) -> Certificate | None:
    """The proof that both look for the same tokens in a text, in the same way."""
    if first.control_from_text != second.control_from_text or first.dialect != second.dialect:
        return None
    same = acting_tokens(first) == acting_tokens(second)
    return Certificate(Proof.ACTS_ALIKE) if same else None
