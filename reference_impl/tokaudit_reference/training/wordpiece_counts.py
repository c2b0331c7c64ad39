"""The counts of the WordPiece trainer: symbols, pairs, and the score of each pair.

The functions are one step each of the algorithm; `Counts` takes the steps on the words that a merge
touches only, and keeps the best pair at hand.  It decides nothing: the order is that of `entry`.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

Pair = tuple[str, str]
Entry = tuple[Fraction, int, Pair]  # the score and the count, negated, so that the least is best


def spelled(word: str, prefix: str) -> list[str]:
    return [prefix * (place > 0) + character for place, character in enumerate(word)]


def joined(pair: Pair, prefix: str) -> str:
    return pair[0] + pair[1].removeprefix(prefix)


def ambiguous(pair: Pair, prefix: str) -> bool:
    """Return whether a merge would make the beginning of a word look like a continuation.

    >>> ambiguous(("#", "###"), "##"), ambiguous(("###", "###"), "##")
    (True, False)
    """
    return not pair[0].startswith(prefix) and joined(pair, prefix).startswith(prefix)


def merged(symbols: Sequence[str], pair: Pair, prefix: str) -> list[str]:
    """Join each occurrence of the pair, from left to right.

    >>> merged(["a", "##a", "##a"], ("##a", "##a"), "##")
    ['a', '##aa']
    """
    found: list[str] = []
    at = 0
    while at < len(symbols):
        here = tuple(symbols[at : at + 2]) == pair
        found.append(joined(pair, prefix) if here else symbols[at])
        at += 1 + here
    return found


def counted(spelled: Iterable[tuple[Sequence[str], int]]) -> tuple[Counter[str], Counter[Pair]]:
    symbols: Counter[str] = Counter()
    pairs: Counter[Pair] = Counter()
    for word, count in spelled:
        for symbol in word:
            symbols[symbol] += count
        for pair in pairwise(word):
            pairs[pair] += count
    return symbols, pairs


def entry(pair: Pair, count: int, symbols: Mapping[str, int]) -> Entry:
    return Fraction(-count, symbols[pair[0]] * symbols[pair[1]]), -count, pair


class Counts:
    """Counts symbols and pairs, with the words that hold a pair, updated at each merge."""

    def __init__(self, words: Mapping[str, int], prefix: str, min_frequency: int) -> None:
        self._prefix, self._least = prefix, max(min_frequency, 1)
        self._words = [spelled(word, prefix) for word in words]
        self._weights = list(words.values())
        self.symbols: Counter[str] = Counter()
        self.pairs: Counter[Pair] = Counter()
        self._words_with: defaultdict[Pair, set[int]] = defaultdict(set)
        self._pairs_with: defaultdict[str, set[Pair]] = defaultdict(set)
        for index in range(len(self._words)):
            self._add(index, 1)
        self._heap = self._ranked(self.pairs)
        heapq.heapify(self._heap)

    def _add(self, index: int, sign: int) -> None:
        """Add the counts of a word, or remove them."""
        word, weight = self._words[index], sign * self._weights[index]
        for symbol in word:
            self.symbols[symbol] += weight
        for pair in pairwise(word):
            self.pairs[pair] += weight
            if sign > 0:
                self._words_with[pair].add(index)
                self._pairs_with[pair[0]].add(pair)
                self._pairs_with[pair[1]].add(pair)

    def _ranked(self, pairs: Iterable[Pair]) -> list[Entry]:
        return [
            entry(pair, self.pairs[pair], self.symbols)
            for pair in pairs
            if self.pairs[pair] >= self._least and not ambiguous(pair, self._prefix)
        ]

    def best(self) -> Pair | None:
        """Return the best pair; an entry whose score changed after its push is dropped."""
        while self._heap:
            entry = self._heap[0]
            pair = entry[2]
            if entry in self._ranked([pair]):
                return pair
            heapq.heappop(self._heap)
        return None

    def merge(self, pair: Pair) -> None:
        """Join the pair in every word that holds it, and rank every changed score."""
        for index in sorted(self._words_with.pop(pair)):
            self._add(index, -1)
            self._words[index] = merged(self._words[index], pair, self._prefix)
            self._add(index, 1)
        self._rank_again({*pair, joined(pair, self._prefix)})

    def _rank_again(self, symbols: Iterable[str]) -> None:
        touched = {pair for symbol in symbols for pair in self._pairs_with[symbol]}
        for gone in [pair for pair in touched if not self.pairs[pair]]:
            self._forget(gone)
        touched &= self.pairs.keys()
        if len(self._heap) + len(touched) > 4 * len(self.pairs) + 1000:
            self._heap = self._ranked(self.pairs)  # mostly stale entries: begin anew
            heapq.heapify(self._heap)
        else:
            for entry in self._ranked(touched):
                heapq.heappush(self._heap, entry)

    def _forget(self, pair: Pair) -> None:
        del self.pairs[pair]
        self._words_with.pop(pair, None)
        for symbol in pair:
            self._pairs_with[symbol].discard(pair)
