"""How a change of a draft becomes a fault."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tokaudit_faults.fault import DRAFTS, Fault, register
from tokaudit_faults.healthy.draft import Draft
from tokaudit_faults.healthy.families import FAMILIES

Change = Callable[[Draft, Random], None]
EVERY = tuple(FAMILIES.values())


def operator(
    component: str,
    *checks: str,
    blamed: str | tuple[str, ...] = (),
    severity: str = "error",
    **stated: Any,
) -> Callable[[Change], Change]:
    """Register a way to break a draft of any family that has the component."""

    def registered(change: Change) -> Change:
        register(
            Fault(
                kind=DRAFTS,
                component=component,
                name=change.__name__,
                change=change,
                healthy=EVERY,
                checks=checks,
                severity=severity,
                blamed=(blamed,) if isinstance(blamed, str) else blamed,
                **stated,
            )
        )
        return change

    return registered


neutral = operator("neutral", base=True, neutral=True)
"""Register a change that no check may speak of."""
