"""Prove that the steps of a stage, or added tokens, are equivalent."""

from __future__ import annotations

from tokaudit.engine.canonical_steps import acting_steps, acting_tokens
from tokaudit.report.comparison import Certificate, Proof
from tokaudit_reference.spec import TokenizerSpec


def steps_act_alike(first: TokenizerSpec, second: TokenizerSpec, stage: str) -> Certificate | None:
    """Prove that a stage is equal on both sides, by its steps in normal form."""
    same = acting_steps(first, stage) == acting_steps(second, stage)
    return Certificate(Proof.ACTS_ALIKE) if same else None


def tokens_act_alike(first: TokenizerSpec, second: TokenizerSpec) -> Certificate | None:
    """Prove that both match the same added tokens in the same way."""
    if first.control_from_text != second.control_from_text or first.dialect != second.dialect:
        return None
    same = acting_tokens(first) == acting_tokens(second)
    return Certificate(Proof.ACTS_ALIKE) if same else None
