"""Half-open intervals: what overlaps, what is covered, and which tokens lie in which spans.

An interval `(start, end)` holds start, and every place before end.  An empty one holds nothing: it
overlaps nothing, and a token without text (such as one that a post-processor adds, at (0, 0)) lies
in no span.  Nothing here knows whether places are characters or bytes; use one unit throughout.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from enum import StrEnum

Interval = tuple[int, int]


class Rule(StrEnum):
    """The rule for a token that lies only partly in a span."""

    ANY = "any"  # one place of it lies in a span
    WHOLE = "whole"  # every place of it lies in a span
    START = "start"  # its first place lies in a span


def overlap(one: Interval, other: Interval) -> bool:
    """Return whether two intervals have a place in common.

    >>> overlap((0, 3), (2, 5)), overlap((0, 3), (3, 5)), overlap((1, 1), (0, 3))
    (True, False, False)
    """
    return max(one[0], other[0]) < min(one[1], other[1])


def intersection(one: Interval, other: Interval) -> Interval | None:
    """The places that both intervals hold, or None where there are none.

    >>> intersection((0, 4), (2, 9)), intersection((0, 2), (2, 4))
    ((2, 4), None)
    """
    return (max(one[0], other[0]), min(one[1], other[1])) if overlap(one, other) else None


def union(intervals: Iterable[Interval]) -> list[Interval]:
    """Join intervals: the result is sorted, and its intervals neither overlap nor touch.

    >>> union([(5, 7), (0, 2), (2, 3), (6, 9), (4, 4)])
    [(0, 3), (5, 9)]
    """
    joined: list[Interval] = []
    for start, end in sorted(interval for interval in intervals if interval[0] < interval[1]):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def complement(intervals: Iterable[Interval], length: int) -> list[Interval]:
    """The places from 0 to `length` that no interval holds.

    >>> complement([(1, 2), (4, 9)], 6)
    [(0, 1), (2, 4)]
    """
    left: list[Interval] = []
    at = 0
    for start, end in union(intervals):
        left.append((at, min(start, length)))
        at = max(at, end)
    left.append((at, length))
    return [gap for gap in left if gap[0] < gap[1]]


def covering(offsets: Sequence[Interval], span: Interval) -> list[int]:
    """The indices of the tokens that together hold a span: each that overlaps it.

    >>> covering([(0, 0), (0, 3), (3, 7), (7, 9)], (2, 4))
    [1, 2]
    """
    return [index for index, token in enumerate(offsets) if overlap(token, span)]


def mask_from_spans(
    offsets: Iterable[Interval], spans: Iterable[Interval], rule: Rule = Rule.ANY
) -> list[int]:
    """Mark each token 1 if it lies in the spans by the rule, else 0.

    Spans that touch are one: a token across their border is whole in them.

    >>> tokens = [(0, 2), (2, 5), (5, 6)]
    >>> [mask_from_spans(tokens, [(3, 6)], rule) for rule in Rule]
    [[0, 1, 1], [0, 0, 1], [0, 0, 1]]
    """
    places = union(spans)
    return [int(_inside(token, places, Rule(rule))) for token in offsets]


def _inside(token: Interval, places: Sequence[Interval], rule: Rule) -> bool:
    """Return whether a token is in `places`, which are sorted and apart: one can be near it."""
    last = token[1] - 1 if rule is Rule.ANY else token[0]
    index = bisect_right(places, last, key=lambda span: span[0]) - 1
    if index < 0 or token[0] >= token[1]:
        return False
    start, end = places[index]
    if rule is Rule.WHOLE:
        return token[1] <= end
    return token[0] < end if rule is Rule.ANY else start <= token[0] < end
