"""Values with a second number each are points of a chart, with their names on hover."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokaudit.report.model import Measurement
from tokaudit_reports.charts.bars import NARROW, WIDE, Size
from tokaudit_reports.charts.points import Scatter, is_scatter
from tokaudit_reports.charts.scatter import MOST_POINTS, of_scatter

NUMBERS = st.floats(0, 1e6)


def point(value: float, norm: str, kind: str = "other", token: str = "1 'a'") -> Measurement:
    dimensions = {"norm": norm, "kind": kind, "token": token}
    return Measurement("a/row_distance", "Distance", value, "L2", 9, "rows", dimensions=dimensions)


def test_values_with_a_second_number_are_points() -> None:
    assert is_scatter([point(1, "2"), point(2, "3.5")])


@pytest.mark.parametrize("norm", ["", "wide", "nan", "inf"])
def test_a_value_whose_second_number_is_none_is_not_drawn_so(norm: str) -> None:
    assert not is_scatter([point(1, "2"), point(2, norm)])


def test_each_point_is_named_with_both_numbers_and_its_kind() -> None:
    found = Scatter("a/b", "Distance", "L2", (point(1, "2", "near"), point(2, "4")))
    drawn = of_scatter(found)
    assert [(dot.x, dot.y, dot.kind, dot.title) for dot in drawn.dots] == [
        (282.0, 139.0, 0, "1 'a': 1 L2, norm 2"),
        (506.0, 24.0, 1, "1 'a': 2 L2, norm 4"),
    ]
    assert found.kinds == ("near", "other")


def test_very_many_points_are_drawn_in_part() -> None:
    many = tuple(point(1, "2") for _ in range(2 * MOST_POINTS))
    assert len(of_scatter(Scatter("a/b", "Distance", "L2", many)).dots) == MOST_POINTS


@given(
    st.lists(st.tuples(NUMBERS, NUMBERS), min_size=2, max_size=20), st.sampled_from([WIDE, NARROW])
)
def test_every_point_lies_inside_of_the_chart(
    numbers: list[tuple[float, float]], size: Size
) -> None:
    points = tuple(point(value, repr(norm)) for value, norm in numbers)
    drawn = of_scatter(Scatter("a/b", "Distance", "L2", points), size)
    for dot in drawn.dots:
        assert drawn.left <= dot.x <= drawn.right
        assert drawn.top <= dot.y <= drawn.floor
