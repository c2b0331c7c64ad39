"""How a change of a draft becomes a fault."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tokaudit_faults.fault import DRAFTS, registering
from tokaudit_faults.healthy.draft import Draft
from tokaudit_faults.healthy.families import FAMILIES

Change = Callable[[Draft, Random], None]


def operator(
    component: str, *checks: str, blamed: str | tuple[str, ...] = (), **stated: Any
) -> Callable[[Change], Change]:
    """Register a way to break a draft of any family that has the component."""
    stated = {"severity": "error", **stated}
    components = (blamed,) if isinstance(blamed, str) else blamed
    every = tuple(FAMILIES.values())
    return registering(DRAFTS, component, every, checks, blamed=components, **stated)


neutral = operator("neutral", base=True, neutral=True)
"""Register a change that no check may speak of."""
