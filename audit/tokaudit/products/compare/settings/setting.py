"""A setting as one side takes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tokaudit.report.model import Place


@dataclass(frozen=True)
class Setting:
    """The value of a setting on one side, the file or class that says so, and its place there."""

    value: Any
    who: str
    place: Place
