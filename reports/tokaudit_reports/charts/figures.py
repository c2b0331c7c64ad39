"""Arranges measurements: series over one dimension, growth over two, and single figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tokaudit.plugin import Measurement, Report
from tokaudit.report.wording import of_part
from tokaudit_reports.charts.points import Scatter, is_scatter

LABEL = "name"  # the dimension that only names another one for a reader
ORDERED = ("characters", "ids", "number", "percentile")  # dimensions that a reader expects in order
LENGTH, RANK = "length", "rank"
NUMBERS = {LENGTH: "characters", RANK: "rank"}  # dimensions to draw a line over, and their units


@dataclass(frozen=True, slots=True)
class Point:
    """One value of a series: the reader's label for it, and the dimension's own value."""

    label: str
    key: str
    measurement: Measurement


@dataclass(frozen=True, slots=True)
class Series:
    """A measurement taken over one dimension, the highest value first where it has no order."""

    key: str
    heading: str
    unit: str
    axis: str
    points: tuple[Point, ...]

    @property
    def suite(self) -> str:
        """Return the part of the key before the slash."""
        return self.key.partition("/")[0]

    @property
    def title(self) -> str:
        """Return the heading, with the dimension of the values.

        >>> Series("fertility/tokens_per_word", "Tokens per word", "tokens", "language", ()).title
        'Tokens per word by language'
        """
        return f"{self.heading} by {self.axis}"

    @property
    def methods(self) -> tuple[str, ...]:
        """Return every method that gave a value, once."""
        return tuple(dict.fromkeys(p.measurement.method for p in self.points))


@dataclass(frozen=True, slots=True)
class Line:
    """The measurements of one text or kind, by its length or rank, the lowest first."""

    label: str
    points: tuple[tuple[int, Measurement], ...]


@dataclass(frozen=True, slots=True)
class Growth:
    """A measurement taken at several lengths, with a line for each value of another dimension.

    `over` is the dimension of the lengths, or of ranks.
    """

    key: str
    heading: str
    unit: str
    by: str
    over: str
    lines: tuple[Line, ...]

    @property
    def suite(self) -> str:
        """Return the part of the key before the slash."""
        return self.key.partition("/")[0]

    @property
    def title(self) -> str:
        """Return the heading, with the dimension that the lines are drawn over.

        >>> Growth("throughput/milliseconds", "Time for one text", "ms", "text", "length", ()).title
        'Time for one text by length'
        """
        return f"{self.heading} by {self.over}"

    @property
    def scale(self) -> str:
        """Return the unit of the dimension that the lines are drawn over."""
        return NUMBERS[self.over]

    def named(self, place: int) -> str:
        """Name a place on the axis of the lines, in words.

        >>> Growth("", "", "", "", "length", ()).named(1000)
        '1,000 characters'
        >>> Growth("", "", "", "", "rank", ()).named(1000)
        'rank 1,000'
        """
        return f"{self.scale} {place:,}" if self.over == RANK else f"{place:,} {self.scale}"

    @property
    def proportional(self) -> bool:
        """Return whether readers ask if the figure grows in proportion to its axis."""
        return self.over == LENGTH

    @property
    def methods(self) -> tuple[str, ...]:
        """Return every method that gave a value, once."""
        return tuple(dict.fromkeys(m.method for line in self.lines for _, m in line.points))


@dataclass(frozen=True, slots=True)
class Figures:
    """Everything that a report measured: bars, lines, and the rest."""

    series: tuple[Series, ...]
    growths: tuple[Growth, ...]
    scatters: tuple[Scatter, ...]
    single: tuple[Measurement, ...]

    @property
    def suites(self) -> tuple[str, ...]:
        """Return every suite that has a chart, once."""
        kinds = (self.series, self.growths, self.scatters)
        return tuple(dict.fromkeys(each.suite for kind in kinds for each in kind))


def arrange(report: Report) -> Figures:
    """Return the charts of a report by their first value, and the figures left over."""
    groups: dict[tuple[str, str, str], list[Measurement]] = defaultdict(list)
    for result in report.results:
        for measured in result.measurements:
            groups[result.part, measured.key, measured.unit].append(measured)
    series: list[Series] = []
    growths: list[Growth] = []
    scatters: list[Scatter] = []
    single: list[Measurement] = []
    for (part, key, unit), group in groups.items():
        heading, axis, lines = of_part(group[0].title, part), _axis(group), _lines_of(group)
        if is_scatter(group):
            scatters.append(Scatter(key, heading, unit, tuple(group)))
        elif lines is not None:
            by, over = lines
            growths.append(Growth(key, heading, unit, by, over, _lines(group, by, over)))
        elif axis is not None:
            series.append(Series(key, heading, unit, axis, _points(group, axis)))
        elif several := _several(group):
            for value, axis, part_of in several:
                points = _points(part_of, axis)
                series.append(Series(key, f"{heading}, {value}", unit, axis, points))
        else:
            single += [_of_part(measured, part) for measured in group]
    return Figures(tuple(series), tuple(growths), tuple(scatters), tuple(single))


def dimensions_text(measured: Measurement) -> str:
    """Format the dimensions of a figure."""
    return ", ".join(f"{key} {value}" for key, value in sorted(measured.dimensions.items()))


def _of_part(measured: Measurement, part: str) -> Measurement:
    """Add the tokenizer of a repository that a figure belongs to."""
    named = {"tokenizer": part} if part else {}
    return replace(measured, dimensions={**measured.dimensions, **named})


def _axis(group: Sequence[Measurement]) -> str | None:
    """Return the dimension whose values distinguish all measurements, if there is one."""
    shared = set(group[0].dimensions).intersection(*(m.dimensions for m in group))
    telling = [k for k in sorted(shared) if len({m.dimensions[k] for m in group}) == len(group)]
    if len(group) < 2 or not telling:
        return None
    return next((key for key in telling if key != LABEL), LABEL)


def _several(group: Sequence[Measurement]) -> list[tuple[str, str, list[Measurement]]]:
    """Split the group by one dimension so that each part has an axis, if possible."""
    for by in sorted(set(group[0].dimensions).intersection(*(m.dimensions for m in group))):
        parts: dict[str, list[Measurement]] = defaultdict(list)
        for measured in group:
            parts[measured.dimensions[by]].append(measured)
        found = [(value, _axis(part) or "", part) for value, part in parts.items()]
        if all(axis for _, axis, _ in found):
            return found
    return []


def _lines_of(group: Sequence[Measurement]) -> tuple[str, str] | None:
    """Return the dimension of the lines and the one of the axis, if there are such.

    Together they tell all of the group apart.  Only figures above nothing have a place on
    logarithmic axes.
    """
    if len(group) < 2 or any(m.value <= 0 for m in group):
        return None
    shared = set(group[0].dimensions).intersection(*(m.dimensions for m in group))
    for over in (each for each in NUMBERS if each in shared):
        if not all(m.dimensions[over].isdecimal() for m in group):
            continue
        for key in sorted(shared - {over}):
            if len({(m.dimensions[key], m.dimensions[over]) for m in group}) == len(group):
                return key, over
    return None


def _lines(group: Sequence[Measurement], by: str, over: str) -> tuple[Line, ...]:
    lines: dict[str, list[tuple[int, Measurement]]] = defaultdict(list)
    for measured in group:
        lines[measured.dimensions[by]].append((int(measured.dimensions[over]), measured))
    return tuple(
        Line(label, tuple(sorted(points, key=lambda point: point[0])))
        for label, points in lines.items()
    )


def _points(group: Sequence[Measurement], axis: str) -> tuple[Point, ...]:
    points = [
        Point(m.dimensions.get(LABEL, m.dimensions[axis]), m.dimensions[axis], m) for m in group
    ]
    ranked = sorted(points, key=lambda p: -p.measurement.value)
    return tuple(points if axis in ORDERED else ranked)
