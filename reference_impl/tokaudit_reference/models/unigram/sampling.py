"""Other segmentations than the best one, for training a model with noise: Unigram's way.

`n_best` lists the segmentations with the highest sums of scores; `sample` draws one, with chances
in proportion to exp(theta * sum): theta = 0 makes all equally likely, a large one the best.  BPE's
way is `dropout.py`.

Source: Kudo 2018, "Subword Regularization".
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nlargest
from math import exp, log
from random import Random

from tokaudit_reference.models.unigram.viterbi import Segment, Unigram

Scored = tuple[float, list[Segment]]


def n_best(unigram: Unigram, text: str, n: int) -> list[Scored]:
    """The `n` best segmentations and their sums, best first; fewer where there are no more.

    >>> pieces = Unigram({"a": -1.0, "b": -1.0, "ab": -1.5})
    >>> n_best(pieces, "ab", 5)
    [(-1.5, [(0, 2)]), (-2.0, [(0, 1), (1, 2)])]
    """
    ways: list[list[Scored]] = [[(0.0, [])], *([] for _ in text)]
    for end in range(1, len(text) + 1):
        longer = (
            (total + score, [*path, (start, end)])
            for start, score in ending_at(unigram, text, end)
            for total, path in ways[start]
        )
        ways[end] = nlargest(n, longer, key=lambda way: way[0])
    return ways[-1][:n]


def sample(unigram: Unigram, text: str, theta: float, random: Random) -> list[Segment]:
    """Draw one segmentation: sums are added forwards, then pieces are chosen backwards.

    >>> pieces = Unigram({"a": -1.0, "b": -1.0, "ab": -1.5})
    >>> sample(pieces, "ab", 100.0, Random(0))
    [(0, 2)]
    """
    sums = [0.0]  # logarithms
    for end in range(1, len(text) + 1):
        sums.append(log_sum([s for _, s in _weighted(unigram, text, end, theta, sums)]))
    found: list[Segment] = []
    end = len(text)
    while end:
        starts, weights = zip(*_weighted(unigram, text, end, theta, sums), strict=True)
        chances = [exp(weight - sums[end]) for weight in weights]
        start = random.choices(starts, chances)[0]
        found.append((start, end))
        end = start
    return found[::-1]


def ending_at(unigram: Unigram, text: str, end: int) -> Iterator[tuple[int, float]]:
    """Yield the starts and scores of pieces that end at a place, including an unknown one."""
    for start in range(end):
        score = unigram.scores.get(text[start:end])
        if score is not None:
            yield start, score
        elif start == end - 1:
            yield start, unigram.unknown_score


def log_sum(numbers: list[float]) -> float:
    """Return the logarithm of a sum whose terms are given as logarithms.

    >>> round(log_sum([-1000.0, -1000.0]) + 1000, 3)
    0.693
    """
    most = max(numbers)
    return most + log(sum(exp(number - most) for number in numbers))


def _weighted(
    unigram: Unigram, text: str, end: int, theta: float, sums: list[float]
) -> list[tuple[int, float]]:
    pieces = ending_at(unigram, text, end)
    return [(start, sums[start] + theta * score) for start, score in pieces]
