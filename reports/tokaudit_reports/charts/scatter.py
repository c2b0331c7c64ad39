"""Computes the places of the points in a chart of two numbers."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit.plugin import Measurement
from tokaudit_reports.arranged.order import number
from tokaudit_reports.charts.bars import WIDE, Size
from tokaudit_reports.charts.points import ACROSS, KIND, MOST_KINDS, NAME, Scatter, second_number

HEIGHT, TOP, BOTTOM, LEFT, RIGHT = 280, 24, 26, 58, 14
STEPS = 4
MOST_POINTS = 400


@dataclass(frozen=True, slots=True)
class Dot:
    """One point with its place, its group, and its words."""

    x: float
    y: float
    kind: int
    title: str


@dataclass(frozen=True, slots=True)
class ScatterChart:
    """A chart in user units of its view box."""

    dots: tuple[Dot, ...]
    across: tuple[tuple[float, str], ...]
    up: tuple[tuple[float, str], ...]
    size: Size
    right: int
    height: int = HEIGHT
    top: int = TOP
    left: int = LEFT
    floor: int = HEIGHT - BOTTOM


def of_scatter(scatter: Scatter, size: Size = WIDE) -> ScatterChart:
    """The chart of some points, both axes from nothing to the largest."""
    points = [(second_number(m) or 0.0, m) for m in scatter.points[:MOST_POINTS]]
    widest = max(x for x, _ in points) or 1.0
    highest = max(m.value for _, m in points) or 1.0
    right, floor = size.width - RIGHT, HEIGHT - BOTTOM
    dots = tuple(
        Dot(
            round(LEFT + (right - LEFT) * max(x, 0.0) / widest, 1),
            round(floor - (floor - TOP) * max(m.value, 0.0) / highest, 1),
            _kind(scatter, m),
            f"{m.dimensions.get(NAME, '')}: {number(m.value)} {scatter.unit}, {ACROSS} {number(x)}",
        )
        for x, m in points
    )
    shares = [step / STEPS for step in range(STEPS + 1)]
    across = tuple((round(LEFT + (right - LEFT) * s, 1), number(widest * s)) for s in shares)
    up = tuple((round(floor - (floor - TOP) * s, 1), number(highest * s)) for s in shares)
    return ScatterChart(dots, across, up, size, right)


def _kind(scatter: Scatter, measured: Measurement) -> int:
    kind = measured.dimensions.get(KIND, "")
    return scatter.kinds.index(kind) if kind in scatter.kinds else MOST_KINDS - 1
