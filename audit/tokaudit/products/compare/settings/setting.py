"""A setting as one side's loader uses it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tokaudit.report.model import Place

UNBOUNDED = int(1e30)  # the length of texts that loaders take where none is stated


@dataclass(frozen=True)
class Setting:
    """The value of a setting on one side, its source, and the place there."""

    value: Any
    who: str
    place: Place


def worded(value: Any) -> str:
    """Format a value for sentences.

    >>> worded(False), worded(512), worded(UNBOUNDED)
    ('false', '512', 'without a limit')
    """
    if isinstance(value, dict):
        return f"a table of {len(value):,} tokens"
    if value == UNBOUNDED:
        return "without a limit"
    return str(value).lower() if isinstance(value, bool) else str(value)
