"""Arranges measurements: what varies over one dimension is a series, the rest single figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tokaudit.report.model import Measurement
from tokaudit.report.report import Report
from tokaudit_reports.arrange import of_part

LABEL = "name"  # the dimension that only names another one for a reader


@dataclass(frozen=True, slots=True)
class Point:
    """One value of a series: the reader's label for it, and the dimension's own value."""

    label: str
    key: str
    measurement: Measurement


@dataclass(frozen=True, slots=True)
class Series:
    """A measurement taken over one dimension, the highest value first."""

    key: str
    heading: str
    unit: str
    axis: str
    points: tuple[Point, ...]

    @property
    def suite(self) -> str:
        """The part of the key before the slash."""
        return self.key.partition("/")[0]

    @property
    def title(self) -> str:
        """The heading, and over what the values are spread.

        >>> Series("fertility/tokens_per_word", "Tokens per word", "tokens", "language", ()).title
        'Tokens per word by language'
        """
        return f"{self.heading} by {self.axis}"

    @property
    def methods(self) -> tuple[str, ...]:
        """Every method that gave a value, once."""
        return tuple(dict.fromkeys(p.measurement.method for p in self.points))


def arrange(report: Report) -> tuple[list[Series], list[Measurement]]:
    """The series of a report in the order of their first value, and the figures left over."""
    groups: dict[tuple[str, str, str], list[Measurement]] = defaultdict(list)
    for result in report.results:
        for measured in result.measurements:
            groups[result.part, measured.key, measured.unit].append(measured)
    series: list[Series] = []
    single: list[Measurement] = []
    for (part, key, unit), group in groups.items():
        axis = _axis(group)
        if axis is None:
            single += [_of_part(measured, part) for measured in group]
        else:
            heading = of_part(group[0].title, part)
            series.append(Series(key, heading, unit, axis, _points(group, axis)))
    return series, single


def by_suite(series: Iterable[Series]) -> dict[str, list[Series]]:
    """The series of each suite."""
    grouped: dict[str, list[Series]] = defaultdict(list)
    for each in series:
        grouped[each.suite].append(each)
    return dict(grouped)


def dimensions_text(measured: Measurement) -> str:
    """The dimensions of a figure, for a reader."""
    return ", ".join(f"{key} {value}" for key, value in sorted(measured.dimensions.items()))


def _of_part(measured: Measurement, part: str) -> Measurement:
    """A figure that says of which tokenizer of a repository it is."""
    named = {"tokenizer": part} if part else {}
    return replace(measured, dimensions={**measured.dimensions, **named})


def _axis(group: Sequence[Measurement]) -> str | None:
    """The dimension whose values tell all measurements of the group apart, if one does."""
    shared = set(group[0].dimensions).intersection(*(m.dimensions for m in group))
    telling = [k for k in sorted(shared) if len({m.dimensions[k] for m in group}) == len(group)]
    if len(group) < 2 or not telling:
        return None
    return next((key for key in telling if key != LABEL), LABEL)


def _points(group: Sequence[Measurement], axis: str) -> tuple[Point, ...]:
    points = [
        Point(m.dimensions.get(LABEL, m.dimensions[axis]), m.dimensions[axis], m) for m in group
    ]
    return tuple(sorted(points, key=lambda p: (-p.measurement.value, p.key)))
