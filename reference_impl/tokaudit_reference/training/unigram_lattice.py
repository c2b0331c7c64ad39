"""The lattice of a word: every way to cut it into scored pieces, weighed all at once.

`expected` is the E step of training, the forward-backward algorithm: how often each piece is
expected in a word, over all its segmentations by their probability.  `best` is Viterbi's algorithm,
which can be told to do without a piece.  Scores are natural logarithms of probabilities.  Nothing
here learns.

Source: Kudo 2018, "Subword Regularization", section 3.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import exp, inf, log

Scores = Mapping[str, float]
Arc = tuple[int, int, str, float]  # start, end, piece, score


def arcs(word: str, scores: Scores, longest: int) -> Iterator[Arc]:
    """The pieces that occur in a word, by end, then by start.

    >>> list(arcs("ab", {"a": -1.0, "b": -2.0, "ab": -2.5}, 2))
    [(0, 1, 'a', -1.0), (0, 2, 'ab', -2.5), (1, 2, 'b', -2.0)]
    """
    for end in range(1, len(word) + 1):
        for start in range(max(0, end - longest), end):
            piece = word[start:end]
            if piece in scores:
                yield start, end, piece, scores[piece]


def expected(word: str, scores: Scores, longest: int) -> tuple[float, dict[str, float]]:
    """Return the log-likelihood of a word, and the expected count of each piece in it.

    >>> likelihood, counts = expected("ab", {"a": log(0.5), "b": log(0.25), "ab": log(0.25)}, 2)
    >>> round(exp(likelihood), 9), {piece: round(count, 9) for piece, count in counts.items()}
    (0.375, {'a': 0.333333333, 'ab': 0.666666667, 'b': 0.333333333})
    """
    found = list(arcs(word, scores, longest))
    before = [0.0] + [-inf] * len(word)  # log-probability of all ways from the start to a place
    for start, end, _, score in found:
        before[end] = log_of_sum(before[end], before[start] + score)
    after = [-inf] * len(word) + [0.0]  # and of all ways from a place to the end
    for start, end, _, score in reversed(found):
        after[start] = log_of_sum(after[start], after[end] + score)
    whole = before[-1]
    counts: dict[str, float] = {}
    for start, end, piece, score in found:
        share = before[start] + score + after[end] - whole
        counts[piece] = counts.get(piece, 0.0) + exp(share)
    return whole, counts


def best(word: str, scores: Scores, longest: int, *, without: str = "") -> list[str]:
    """The most probable segmentation, not using `without`; [] where there is none.

    Of equal ones it takes the longest last piece.

    >>> best("abab", {"a": -1.0, "b": -1.0, "ab": -1.5}, 2)
    ['ab', 'ab']
    >>> best("ab", {"a": -1.0, "b": -1.0, "ab": -1.5}, 2, without="ab")
    ['a', 'b']
    """
    reached = [(0.0, 0)] + [(-inf, -1)] * len(word)
    for start, end, piece, score in arcs(word, scores, longest):
        total = reached[start][0] + score
        if total > reached[end][0] and piece != without:
            reached[end] = total, start
    pieces, end = [], len(word)
    while end > 0 and reached[end][1] >= 0:
        start = reached[end][1]
        pieces.append(word[start:end])
        end = start
    return [] if end else pieces[::-1]


def log_of_sum(one: float, other: float) -> float:
    """The logarithm of the sum of two numbers, given by their logarithms.

    >>> log_of_sum(-inf, -2.0)
    -2.0
    """
    low, high = (one, other) if one < other else (other, one)
    return high if low == -inf else high + log(1.0 + exp(low - high))
