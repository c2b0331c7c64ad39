"""Collects figures that have a second number each: points rather than bars."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tokaudit.plugin import Measurement

ACROSS, KIND, NAME = "norm", "kind", "token"  # dimensions: the second number, the group, the name
MOST_KINDS = 6  # as many as the style has colours for lines


@dataclass(frozen=True, slots=True)
class Scatter:
    """A measurement whose values have a second number each, for the axis."""

    key: str
    heading: str
    unit: str
    points: tuple[Measurement, ...]

    @property
    def suite(self) -> str:
        """Return the part of the key before the slash."""
        return self.key.partition("/")[0]

    @property
    def title(self) -> str:
        """Return the heading, with the number on the axis.

        >>> Scatter("embeddings/row_distance", "Distance of rows", "L2 distance", ()).title
        'Distance of rows by norm'
        """
        return f"{self.heading} by {ACROSS}"

    @property
    def kinds(self) -> tuple[str, ...]:
        """Return the groups of points, in their order of appearance."""
        return tuple(dict.fromkeys(m.dimensions.get(KIND, "") for m in self.points))[:MOST_KINDS]

    @property
    def methods(self) -> tuple[str, ...]:
        """Return every method that gave a value, once."""
        return tuple(dict.fromkeys(m.method for m in self.points))


def second_number(measured: Measurement) -> float | None:
    """Return the second number of a value, if it has one."""
    try:
        found = float(measured.dimensions.get(ACROSS, ""))
    except ValueError:
        return None
    return found if math.isfinite(found) and math.isfinite(measured.value) else None


def is_scatter(group: Sequence[Measurement]) -> bool:
    """Return whether every value of a group has a second number."""
    return len(group) > 1 and all(second_number(measured) is not None for measured in group)
