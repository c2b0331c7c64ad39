"""Unigram: the segmentation with the best sum of scores, found by Viterbi's algorithm.

It samples nothing and trains nothing.

Source: Kudo 2018, "Subword Regularization"; ties and the unknown as in Hugging Face's tokenizers.
"""

from __future__ import annotations

from collections.abc import Mapping

UNKNOWN_PENALTY = 10.0


class Unigram:
    """A vocabulary of scored pieces."""

    def __init__(
        self, scores: Mapping[str, float], ids: Mapping[str, int], unknown: int | None
    ) -> None:
        self._scores, self._ids, self._unknown = scores, ids, unknown
        self._longest = max(map(len, scores), default=0)
        self._unknown_score = min(scores.values(), default=0.0) - UNKNOWN_PENALTY

    def encode(self, text: str) -> list[int]:
        """The ids of the best segmentation; neighbouring unknowns are one.

        >>> Unigram({"a": -1.0, "b": -1.0, "ab": -1.5}, {"a": 1, "b": 2, "ab": 3}, 0).encode("abba")
        [3, 2, 1]
        """
        found: list[int] = []
        for piece in self._best(text):
            id = self._ids.get(piece, self._unknown)
            if id is not None and not (id == self._unknown and found[-1:] == [id]):
                found.append(id)
        return found

    def _best(self, text: str) -> list[str]:
        """Pieces from left to right; at each end the best start, the first of equals."""
        best: list[tuple[float, int] | None] = [(0.0, 0), *[None] * len(text)]
        for start in range(len(text)):
            here = best[start]
            if here is None:
                continue
            for end in range(start + 1, min(len(text), start + self._longest) + 1):
                score = self._scores.get(text[start:end])
                if score is not None:
                    _offer(best, end, score + here[0], start)
            if text[start] not in self._scores:
                _offer(best, start + 1, self._unknown_score + here[0], start)
        pieces, end = [], len(text)
        while end:
            entry = best[end]
            assert entry is not None
            pieces.append(text[entry[1] : end])
            end = entry[1]
        return pieces[::-1]


def _offer(best: list[tuple[float, int] | None], end: int, score: float, start: int) -> None:
    entry = best[end]
    if entry is None or score > entry[0]:
        best[end] = score, start
