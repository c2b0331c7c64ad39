"""How a change of a written folder becomes a fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tokaudit_faults.fault import FOLDERS, Fault, register
from tokaudit_faults.healthy.written import Writer, Written


def breaks(
    healthy: Writer, *checks: str, severity: str = "warning", **stated: Any
) -> Callable[[Writer], Writer]:
    """Register a way to break the folder that a function writes, for the first check's suite."""

    def registered(change: Writer) -> Writer:
        register(
            Fault(
                kind=FOLDERS,
                component=checks[0].partition("/")[0],
                name=change.__name__,
                change=change,
                healthy=(Written(healthy),),
                checks=checks,
                severity=severity,
                **stated,
            )
        )
        return change

    return registered
