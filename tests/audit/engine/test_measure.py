"""Figures and their intervals."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tokaudit.engine.measure import interval, ratio_of_sums


def test_a_ratio_weighs_long_texts_more_than_short_ones() -> None:
    assert ratio_of_sums([10, 1], [10, 4]) == 11 / 14


def test_there_is_no_interval_below_thirty_samples() -> None:
    assert interval([1.0] * 29, [2.0] * 29) is None


def test_samples_that_agree_have_an_interval_of_no_width() -> None:
    assert interval([1.0] * 30, [2.0] * 30) == (0.5, 0.5)


@settings(deadline=None)
@given(st.lists(st.integers(1, 50), min_size=30, max_size=60), st.integers(0, 9))
def test_the_interval_lies_within_the_extremes_of_the_samples(tops: list[int], seed: int) -> None:
    found = interval([float(t) for t in tops], [1.0] * len(tops), seed)
    assert found is not None
    assert min(tops) <= found[0] <= found[1] <= max(tops)


def test_the_same_seed_gives_the_same_interval() -> None:
    tops = [float(n) for n in range(1, 41)]
    assert interval(tops, [1.0] * 40, 3) == interval(tops, [1.0] * 40, 3)


def test_a_sample_with_nothing_below_the_line_has_no_interval() -> None:
    assert interval([1.0] * 30, [0.0] + [1.0] * 29) is None
