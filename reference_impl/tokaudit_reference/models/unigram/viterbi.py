"""Unigram: the segmentation with the best sum of scores, found by Viterbi's algorithm.

Two libraries run it, and differ in what they add up: Hugging Face's tokenizers sums in double
precision; SentencePiece rounds each sum to single, begins at 0 again when it is beyond 100,000, and
has symbols of the user that always win.
It samples nothing (see `sampling`) and trains nothing.

Source: Kudo 2018, "Subword Regularization"; `unigram_model.cc` in sentencepiece.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping

UNKNOWN_PENALTY = 10.0
TOO_LARGE = 100_000.0  # single precision tells small scores apart no more
Segment = tuple[int, int]  # half-open, in characters


class Unigram:
    """A vocabulary of scored pieces.

    `bonus` holds the pieces whose scores do not count when the lowest one is sought, from which
    the penalty for an unknown character is taken: SentencePiece's symbols of the user.

    >>> Unigram({"a": -1.0, "b": -1.0, "ab": -1.5}).segments("abxba")
    [(0, 2), (2, 3), (3, 4), (4, 5)]
    """

    def __init__(
        self,
        scores: Mapping[str, float],
        *,
        bonus: Mapping[str, float] | None = None,
        single_precision: bool = False,
    ) -> None:
        self.scores = {**scores, **(bonus or {})}
        self._lengths = _lengths(self.scores)
        self._single = single_precision
        self.unknown_score = min(scores.values(), default=0.0) - UNKNOWN_PENALTY
        if single_precision:
            self.unknown_score = array("f", [self.unknown_score])[0]

    def segments(self, text: str) -> list[Segment]:
        """The best segmentation; at each end the best start, the first of equals.

        The best way to cut the first n characters consists of a last piece and the best way to cut
        what comes before it.  So one walk from left to right is enough: for every place it keeps
        the best sum of a segmentation that ends there, and where that segmentation's last piece
        starts.  At the end the starts are followed back.
        """
        size, scores, kind = len(text), self.scores, "f" if self._single else "d"
        sums = array(kind, [0.0]) * (size + 1)  # best sum of a segmentation that ends at each place
        rounded = array(kind, [0.0])  # a sum is put here first, which rounds it as the library does
        starts = [0] + [-1] * size  # where its last piece starts; -1: no segmentation ends here yet
        furthest = 0  # the last place at which a segmentation ends
        for start, character in enumerate(text):
            if starts[start] < 0:
                continue  # no piece ends here, so none can start here
            if self._single and abs(sums[start]) > TOO_LARGE:
                _begin_again(sums, starts, start, furthest)
            # Lengthen the best segmentation that ends here by every piece that begins here.
            here, alone = sums[start], False  # alone: the character is a piece by itself
            for length in self._lengths.get(character, ()):
                score = scores.get(text[start : start + length])
                if score is None or start + length > size:
                    continue
                alone, furthest = alone or length == 1, max(furthest, start + length)
                rounded[0] = score + here
                # A later start must be better to win: of equal sums the first one found stays.
                if starts[start + length] < 0 or rounded[0] > sums[start + length]:
                    sums[start + length], starts[start + length] = rounded[0], start
            # A character that is not a piece may be unknown, at a score that is worse than any
            # piece's; otherwise some texts could not be cut at all.
            if not alone:
                furthest = max(furthest, start + 1)
                rounded[0] = self.unknown_score + here
                if starts[start + 1] < 0 or rounded[0] > sums[start + 1]:
                    sums[start + 1], starts[start + 1] = rounded[0], start
        # From the end, each place names the start of the piece that ends there.
        found, end = [], size
        while end:
            found.append((starts[end], end))
            end = starts[end]
        return found[::-1]


def _begin_again(sums: array[float], starts: list[int], start: int, furthest: int) -> None:
    """Subtract the sum at `start` from all later sums."""
    here = sums[start]
    for end in range(start, furthest + 1):
        if end == start or starts[end] >= 0:
            sums[end] -= here


def _lengths(pieces: Iterable[str]) -> dict[str, list[int]]:
    """First character -> the lengths of the pieces that begin with it.

    >>> _lengths(["a", "b", "abc", "axy"])
    {'a': [1, 3], 'b': [1]}
    """
    found: dict[str, set[int]] = {}
    for piece in filter(None, pieces):
        found.setdefault(piece[0], set()).add(len(piece))
    return {character: sorted(lengths) for character, lengths in found.items()}
