"""Declared figures of a check, and their use in thresholds and comparisons of runs.

So a threshold on what nothing measures is refused before any work, and two runs are compared only
by figures that mean the same in both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tokaudit.report.model import MEASUREMENT_KEY


class Worse(StrEnum):
    """The direction in which a figure gets worse."""

    HIGHER = "higher"
    LOWER = "lower"


class Source(StrEnum):
    """The source of a figure, which decides what makes it repeatable."""

    COUNTED = "counted"  # the same in every run on the same sample
    TIMES = "a ratio of times"  # it has the noise that its interval shows
    MACHINE = "an absolute speed"  # of this machine today: nothing is decided by it


@dataclass(frozen=True)
class Measured:
    """A kind of figure: its key, its source, and which direction is worse.

    `dimensions` are those whose values are known before anything is measured.  A figure without a
    worse direction is compared with a threshold only.
    """

    key: str
    worse: Worse | None = None
    source: Source = Source.COUNTED
    dimensions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse a key that no measurement can have."""
        if not MEASUREMENT_KEY.fullmatch(self.key):
            raise ValueError(f"{self.key!r} is not a key of the form suite/what_is_counted")
