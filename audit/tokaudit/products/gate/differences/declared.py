"""Declared figures of checks and of the gate, by key."""

from __future__ import annotations

from collections.abc import Iterable

from tokaudit.engine.check import Check
from tokaudit.engine.measured import Measured, Worse

SIZES = (
    Measured("gate/tokenizer_bytes", Worse.HIGHER),
    Measured("gate/vocab_entries", Worse.HIGHER),
)


def declarations(checks: Iterable[Check]) -> dict[str, Measured]:
    """Return the declared figures by key."""
    of_checks = {each.key: each for check in checks for each in check.measures}
    return of_checks | {each.key: each for each in SIZES}
