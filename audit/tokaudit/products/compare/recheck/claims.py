"""A claim of a report after a recheck."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rechecked:
    """One claim of a report: it holds, has an `objection`, or was not checked, and why."""

    claim: str
    objection: str = ""
    unchecked: str = ""
