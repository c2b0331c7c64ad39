"""Nearness of the rows of related words, compared with unrelated words.

A trained matrix has the rows of `cat` and `cats` near each other, in any language model.  Where the
rows are not in the order of the ids, forms of a word are as far apart as any two words.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import mul
from statistics import fmean, pstdev

from tokaudit.subject.weights.number_types import NUMBERS
from tokaudit.subject.weights.rows import MatrixRows, Values, values
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.vocab_entries import name_of, spelled

WordPair = tuple[int, int]
MOST_PAIRS, COLUMNS = 240, 128
LEAST_LETTERS = 4
MARKS = "▁Ġ "
CHANCE = 0.05  # of pairs of different words that count as near
APART = 7  # places between a pair and the one whose second word it is compared with
SIMILAR = 4  # standard deviations of a cosine; one of 60 random rows has one of 500 so near
TRAINED = 0.2  # of the rows have such a neighbour; 0.35 in a published model, 0.02 by chance
MOST_COMPARED = 500, 60


def word_pairs(spec: TokenizerSpec, plain: Iterable[int]) -> list[WordPair]:
    """Return words with their plurals in -s, by the larger id, evenly spread."""
    named = ((id, name_of(spec, id)) for id in sorted(plain))
    ids = {name if isinstance(name, str) else spelled(name): id for id, name in named if name}
    found = [(id, ids[f"{text}s"]) for text, id in ids.items() if _word(text) and f"{text}s" in ids]
    found.sort(key=max)
    return found[:: len(found) // MOST_PAIRS + 1]


def _word(text: str) -> bool:
    letters = text.lstrip(MARKS)
    return len(letters) >= LEAST_LETTERS and letters.isalpha() and letters.isascii()


@dataclass(frozen=True)
class RelatedRows:
    """Rows with some of their columns, scaled alike."""

    matrix: MatrixRows
    pairs: Sequence[WordPair]
    sample: Sequence[int]

    def share(self, pairs: Sequence[WordPair], by: int = 0) -> float:
        """Return the share of near pairs if rows were shifted by so many ids.

        Where a row was lost in the middle, only the second word of a pair may be beyond it.
        """
        near = [self._is_near(one, other, by) for one, other in pairs]
        known = [each for each in near if each is not None]
        return fmean(known) if len(known) * 2 >= len(pairs) else 0.0

    def _is_near(self, one: int, other: int, by: int) -> bool | None:
        found = [self._cosine(one + first, other + by) for first in {0, by}]
        known = [cosine for cosine in found if cosine is not None]
        return max(known) >= self.nearness if known else None

    @cached_property
    def nearness(self) -> float:
        """Return a cosine that few pairs of unrelated words reach."""
        second = [b for _, b in self.pairs]
        mixed = zip((a for a, _ in self.pairs), second[APART:] + second[:APART], strict=True)
        found = sorted(c for a, b in mixed if (c := self._cosine(a, b)) is not None)
        return max(found[int(len(found) * (1 - CHANCE))], CHANCE) if found else 1.0

    @cached_property
    def is_trained(self) -> bool:
        """Return whether many rows have a near neighbour, as only training produces."""
        others, asked = (self.sample[:: len(self.sample) // n + 1] for n in MOST_COMPARED)
        least = SIMILAR / math.sqrt(len(self._scale) or 1)
        near = [any((self._cosine(a, b) or 0) > least for b in others if a != b) for a in asked]
        return bool(near) and fmean(near) > TRAINED

    def _cosine(self, one: int, other: int) -> float | None:
        left, right = self._directions(one), self._directions(other)
        return sum(map(mul, left, right)) if left and right else None

    def _directions(self, id: int) -> Sequence[float]:
        if id not in self._known:
            self._known[id] = self._scaled(id)
        return self._known[id]

    @cached_property
    def _known(self) -> dict[int, Sequence[float]]:
        return {}

    def _scaled(self, id: int) -> Sequence[float]:
        numbers = self._numbers(id)
        scaled = [(n - mean) / by for n, (mean, by) in zip(numbers, self._scale, strict=False)]
        long = math.hypot(*scaled)
        return [n / long for n in scaled] if long else ()

    @cached_property
    def _scale(self) -> Sequence[tuple[float, float]]:
        """Return the mean and spread of each column."""
        rows = [row for id in self.sample if (row := self._numbers(id))]
        return [(fmean(c), pstdev(c) or 1.0) for c in zip(*rows, strict=True)]

    def _numbers(self, id: int) -> Sequence[float]:
        row = self.matrix.rows.get(id)
        if row is None or values(row, self.matrix.dtype) is not Values.USABLE:
            return ()
        numbers = NUMBERS[self.matrix.dtype](row)
        return numbers[:: len(numbers) // COLUMNS or 1][:COLUMNS]


def best_move(
    rows: RelatedRows, pairs: Sequence[WordPair], moves: Iterable[int]
) -> tuple[int, float]:
    """Return the shift of ids that makes most pairs near, and their share."""
    found = {by: rows.share(pairs, by) for by in moves}
    return max(found.items(), key=lambda item: item[1], default=(0, 0.0))
