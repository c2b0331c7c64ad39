"""Computes the places of the parts of a chart over lengths or ranks, on logarithmic axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tokaudit_reports.arranged.order import number
from tokaudit_reports.charts.bars import LETTER, WIDE, Size
from tokaudit_reports.charts.figures import Growth, Line

HEIGHT = 280
TOP, BOTTOM, LEFT = 24, 26, 58
APART = 14.0  # between the labels of two lines
MOST_LINES = 6  # nobody could follow more; the table has them all
MOST_TICKS = 8

Scale = Callable[[float], float]
Slope = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Mark:
    """One value with its place, its whisker and its words."""

    x: float
    y: float
    whisker: tuple[float, float] | None
    title: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """A line: its marks, and its label at a height where it covers no other."""

    label: str
    marks: tuple[Mark, ...]
    label_y: float

    @property
    def path(self) -> str:
        """The line through all marks, as SVG has it."""
        return "M" + "L".join(f"{mark.x} {mark.y}" for mark in self.marks)


@dataclass(frozen=True, slots=True)
class GrowthChart:
    """A chart in user units of its view box; `linear` is a line in proportion to length.

    `scale` is the unit of the axis that lines are drawn over.
    """

    right: float
    lines: tuple[Drawn, ...]
    lengths: tuple[tuple[float, str], ...]
    values: tuple[tuple[float, str], ...]
    scale: str
    linear: Slope | None
    left_out: int
    size: Size
    height: int = HEIGHT
    top: int = TOP
    left: int = LEFT
    bottom: int = BOTTOM

    @property
    def has_whiskers(self) -> bool:
        """Return whether any value has an interval that is drawn."""
        return any(mark.whisker for line in self.lines for mark in line.marks)


def of_growth(growth: Growth, size: Size = WIDE) -> GrowthChart:
    """The chart of figures by length; on logarithmic axes a power of the length is straight."""
    lines = growth.lines[:MOST_LINES]
    lengths = sorted({length for line in lines for length, _ in line.points})
    low, high = _range(lines)
    right = size.width - 14 - LETTER * max(len(size.cut(line.label)) for line in lines)
    across = _scale(lengths[0], lengths[-1], LEFT + 8, right)
    up = _scale(low, high, HEIGHT - BOTTOM, TOP)
    return GrowthChart(
        right=round(right, 1),
        lines=_apart([_drawn(line, growth, size, across, up) for line in lines]),
        lengths=tuple((across(n), f"{n:,}") for n in _thinned(lengths, size)),
        values=tuple((up(value), number(value)) for value in _ticks(low, high)),
        scale=growth.scale,
        linear=_linear(lines, across, up, high) if growth.proportional else None,
        left_out=len(growth.lines) - len(lines),
        size=size,
    )


def _drawn(line: Line, growth: Growth, size: Size, across: Scale, up: Scale) -> Drawn:
    marks = []
    for length, m in line.points:
        ends = (up(m.interval[0]), up(m.interval[1])) if m.interval and m.interval[0] > 0 else None
        said = f"{line.label}, {growth.named(length)}: {number(m.value)} {growth.unit}"
        marks.append(Mark(across(length), up(m.value), ends, said))
    return Drawn(size.cut(line.label), tuple(marks), marks[-1].y)


def _apart(lines: Sequence[Drawn]) -> tuple[Drawn, ...]:
    """Move the labels of the lines as far as is needed to read each."""
    upwards = sorted(range(len(lines)), key=lambda index: -lines[index].label_y)
    heights: dict[int, float] = {}
    lowest = float(HEIGHT - BOTTOM)
    for index in upwards:
        heights[index] = min(lowest, lines[index].label_y)
        lowest = heights[index] - APART
    return tuple(replace(line, label_y=heights[index]) for index, line in enumerate(lines))


def _range(lines: Sequence[Line]) -> tuple[float, float]:
    """Return the round numbers below and above everything that is drawn."""
    measured = [m for line in lines for _, m in line.points]
    ends = [end for m in measured for end in m.interval or () if end > 0]
    every = [*ends, *(m.value for m in measured)]
    low = max(tick for tick in _round_numbers(min(every)) if tick <= min(every))
    high = min(tick for tick in _round_numbers(max(every)) if tick >= max(every))
    return (low, high) if high > low else (low, low * 10)


def _round_numbers(near: float) -> list[float]:
    """One, two and five times the powers of ten around a number.

    >>> _round_numbers(30.0)
    [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0]
    """
    power = math.floor(math.log10(near))
    return [m * 10.0**e for e in range(power - 1, power + 2) for m in (1, 2, 5)]


def _ticks(low: float, high: float) -> list[float]:
    """Return the round numbers between both, and fewer of them if there are many."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for leading in ((1, 2, 5), (1, 3), (1,)):
        ticks = [m * 10.0**e for e in powers for m in leading]
        inside = [tick for tick in ticks if low * 0.999 <= tick <= high * 1.001]
        if len(inside) <= MOST_TICKS:
            break
    return inside


def _thinned(lengths: Sequence[int], size: Size) -> Sequence[int]:
    """Choose lengths whose labels do not touch; the longest is among them."""
    return lengths[::-1][:: -(-len(lengths) // (size.most_steps + 1))]


def _linear(lines: Sequence[Line], across: Scale, up: Scale, high: float) -> Slope:
    """Return a line from the mean of the first values: twice the length, twice the value."""
    first = min(length for line in lines for length, _ in line.points)
    last = max(length for line in lines for length, _ in line.points)
    starts = [m.value for line in lines for length, m in line.points if length == first]
    mean = math.exp(sum(map(math.log, starts)) / len(starts))
    end = min(float(last), first * high / mean)
    return across(first), up(mean), across(end), up(mean * end / first)


def _scale(low: float, high: float, start: float, end: float) -> Scale:
    """Return a function from a number to its place on a logarithmic axis.

    >>> [_scale(1, 100, 0, 10)(value) for value in (1, 10, 100)]
    [0.0, 5.0, 10.0]
    """
    span = math.log(high / low) or 1.0

    def at(value: float) -> float:
        return round(start + (end - start) * math.log(value / low) / span, 1)

    return at
