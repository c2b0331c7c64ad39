"""Intervals give what one gets by asking of every single place."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit_reference.batching.spans import (
    Interval,
    Rule,
    complement,
    covering,
    intersection,
    mask_from_spans,
    overlap,
    union,
)

TOP = 14
interval = st.tuples(st.integers(0, TOP), st.integers(0, TOP)).map(
    lambda pair: (min(pair), max(pair))
)
intervals = st.lists(interval, max_size=6)
law = settings(deadline=None, derandomize=True, database=None, max_examples=some(300))


def places(*spans: Interval) -> set[int]:
    return {place for start, end in spans for place in range(start, end)}


@law
@given(interval, interval)
def test_intervals_overlap_where_they_have_a_place_in_common(
    one: Interval, other: Interval
) -> None:
    common = places(one) & places(other)
    found = intersection(one, other)
    assert overlap(one, other) == bool(common)
    assert (places(found) if found else set()) == common


@law
@given(intervals)
def test_a_union_has_the_same_places_sorted_and_apart(spans: list[Interval]) -> None:
    joined = union(spans)
    assert places(*joined) == places(*spans)
    assert all(a[1] < b[0] for a, b in itertools.pairwise(joined))


@law
@given(intervals, st.integers(0, TOP))
def test_a_complement_has_every_other_place(spans: list[Interval], length: int) -> None:
    assert places(*complement(spans, length)) == set(range(length)) - places(*spans)


@law
@given(intervals, interval)
def test_the_tokens_that_cover_a_span_are_those_that_overlap_it(
    offsets: list[Interval], span: Interval
) -> None:
    expected = [i for i, token in enumerate(offsets) if places(token) & places(span)]
    assert covering(offsets, span) == expected


@law
@given(intervals, intervals)
def test_a_mask_from_spans_is_the_truth_of_every_character(
    offsets: list[Interval], spans: list[Interval]
) -> None:
    truth = places(*spans)
    mine = [places(token) for token in offsets]
    assert mask_from_spans(offsets, spans, Rule.ANY) == [int(bool(m & truth)) for m in mine]
    assert mask_from_spans(offsets, spans, Rule.WHOLE) == [
        int(bool(m) and m <= truth) for m in mine
    ]
    assert mask_from_spans(offsets, spans, Rule.START) == [
        int(bool(m) and min(m) in truth) for m in mine
    ]


def test_a_token_without_text_is_in_no_span() -> None:
    for rule in Rule:
        assert mask_from_spans([(0, 0), (2, 2)], [(0, 5)], rule) == [0, 0]


def test_a_token_across_two_touching_spans_is_whole_in_them() -> None:
    assert mask_from_spans([(1, 3)], [(0, 2), (2, 4)], Rule.WHOLE) == [1]
