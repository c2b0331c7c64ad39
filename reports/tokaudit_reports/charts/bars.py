"""Computes the places of the parts of a bar chart; the template draws them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tokaudit.plugin import Cost, Entries
from tokaudit_reports.arranged.order import number
from tokaudit_reports.charts.figures import Series

ROW = 22
TOP = 6
BOTTOM = 24  # the ticks
MOST_ROWS = 32  # more are cut out of the middle; the table next to the chart keeps them
LETTER = 6.6  # average width of a label's character at the size the style gives it
RATIOS = ("ratio", "×", "x")  # units in which 1 means "as much as what it is compared with"


@dataclass(frozen=True, slots=True)
class Size:
    """The width of a chart: the page shows the size that fits without shrunk text."""

    name: str
    width: int
    longest_label: int
    most_steps: int

    def cut(self, label: str) -> str:
        """Cut a label to fit next to a chart."""
        most = self.longest_label
        return label if len(label) <= most else label[: most - 1] + "…"


WIDE, NARROW = Size("wide", 520, 24, 5), Size("narrow", 340, 21, 3)
SIZES = (WIDE, NARROW)


@dataclass(frozen=True, slots=True)
class Datum:
    """One bar to draw; `title` is shown in full where the label is cut."""

    label: str
    title: str
    value: float
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar with its place, whisker and texts; `label` is cut to fit."""

    y: float
    x: float
    width: float
    whisker: tuple[float, float] | None
    end: float
    label: str
    title: str
    value: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A horizontal bar chart in user units of its view box."""

    height: int
    left: float
    zero: float
    right: float
    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, str], ...]
    one: float | None
    left_out: int
    left_out_y: float
    size: Size
    row: int = ROW
    top: int = TOP
    bottom: int = BOTTOM


def of_series(series: Series, size: Size = WIDE) -> Chart:
    """The chart of a series."""
    data = [
        Datum(
            point.label,
            point.label if point.label == point.key else f"{point.label} ({point.key})",
            point.measurement.value,
            point.measurement.interval,
        )
        for point in series.points
    ]
    return draw(data, size, ratio=series.unit in RATIOS)


def of_costs(costs: Sequence[Cost], size: Size = WIDE) -> Chart:
    """Draw the cost of each language or domain on the second side for each token of the first."""
    found = [(cost, cost.ratio) for cost in costs if cost.ratio]
    found.sort(key=lambda pair: -pair[1].value)
    data = [
        Datum(cost.name, f"{cost.name} ({cost.key})", ratio.value, ratio.interval)
        for cost, ratio in found
    ]
    return draw(data, size, ratio=True)


def of_entries(rows: Sequence[Entries], size: Size = WIDE) -> Chart:
    """The share of the entries of each kind that both vocabularies have, in per cent."""
    return draw([Datum(row.kind, row.kind, shared_share(row)) for row in rows], size)


def shared_share(row: Entries) -> float:
    """Return the percentage of entries that both vocabularies have.

    >>> shared_share(Entries("Latin", 1, 1, 2))
    25.0
    """
    every = row.shared + row.only_left + row.only_right
    return 100 * row.shared / every if every else 0.0


def draw(data: Sequence[Datum], size: Size = WIDE, *, ratio: bool = False) -> Chart:
    """The chart of some bars, in the order given; for ratios with a line at one."""
    kept, left_out, gap_at = _kept(data)
    low, high = _range(kept, ratio)
    step = _step(high - low, size.most_steps)
    low, high = math.floor(low / step) * step, math.ceil(high / step - 1e-9) * step
    left = 18 + LETTER * max((len(size.cut(datum.label)) for datum in kept), default=0)
    right = size.width - 52  # room for the longest value beyond the end of the axis

    def at(value: float) -> float:
        return round(left + (right - left) * (value - low) / (high - low), 1)

    bars = tuple(
        _bar(datum, size, TOP + ROW * (index + (left_out > 0 and index >= gap_at)), at)
        for index, datum in enumerate(kept)
    )
    rows = len(kept) + (left_out > 0)
    count = round((high - low) / step)
    return Chart(
        height=TOP + ROW * rows + BOTTOM,
        left=round(left, 1),
        zero=at(0.0),
        right=right,
        bars=bars,
        ticks=tuple(
            (at(low + i * step), number(round(low + i * step, 10))) for i in range(count + 1)
        ),
        one=at(1.0) if ratio else None,
        left_out=left_out,
        left_out_y=TOP + ROW * (gap_at + 0.5),
        size=size,
    )


def _bar(datum: Datum, size: Size, y: float, at: Callable[[float], float]) -> Bar:
    zero, x = at(0.0), at(datum.value)
    whisker = (at(datum.interval[0]), at(datum.interval[1])) if datum.interval else None
    end = max(x, zero, whisker[1] if whisker else zero)
    return Bar(
        y=y,
        x=min(x, zero),
        width=round(abs(x - zero), 1),
        whisker=whisker,
        end=end,
        label=size.cut(datum.label),
        title=datum.title,
        value=number(datum.value),
    )


def _kept(data: Sequence[Datum]) -> tuple[Sequence[Datum], int, int]:
    """Return the bars to draw, the number left out of the middle, and the place of the gap."""
    if len(data) <= MOST_ROWS:
        return data, 0, len(data)
    half = MOST_ROWS // 2
    return [*data[:half], *data[-half:]], len(data) - 2 * half, half


def _range(data: Sequence[Datum], ratio: bool) -> tuple[float, float]:
    numbers = [0.0, 1.0] if ratio else [0.0]
    for datum in data:
        numbers += [datum.value, *(datum.interval or ())]
    low, high = min(numbers), max(numbers)
    return (low, high) if high > low else (low, low + 1.0)


def _step(span: float, most: int) -> float:
    """Return the smallest step of 1, 2 or 5 times a power of ten with at most `most` steps."""
    power = 10.0 ** math.floor(math.log10(span / 4))
    return next(m * power for m in (1.0, 2.0, 5.0, 10.0, 20.0) if m * power >= span / most)
