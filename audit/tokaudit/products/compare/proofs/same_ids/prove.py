"""Prove that two post-processors give equal ids and type ids, whatever the offsets."""

from __future__ import annotations

from tokaudit.engine.canonical_steps import steps_for_ids
from tokaudit.report.comparison import Certificate, Proof
from tokaudit_reference.spec import TokenizerSpec


def same_ids_around(first: TokenizerSpec, second: TokenizerSpec) -> Certificate | None:
    """Return the proof, by the steps without what changes only offsets."""
    same = steps_for_ids(first) == steps_for_ids(second)
    return Certificate(Proof.SAME_IDS) if same else None
