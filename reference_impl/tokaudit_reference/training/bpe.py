"""The BPE trainer for real corpora: the counts are kept up to date instead of being taken anew.

A word is a string with one character for each symbol, so `str.split` finds the places of a pair and
`str.join` merges it.  An index tells which words hold a pair; a word that lost it since is passed
over.  A merge changes only the pairs beside it, and every pair with the new symbol is made by this
merge, so its count is known when the merge is done.  A pair can only become rarer after that: the
heap keeps what was true once, and an entry that is too high is put back with what is true now.

The textbook's version is `naive.py`.  Words are counted in `words.py`; nothing is read here.

Source: Sennrich, Haddow, Birch 2016; the index and lazy heap as in Hugging Face's tokenizers.
"""

from __future__ import annotations

import gc
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from heapq import heapify, heappop, heappush, heapreplace
from typing import Any

from tokaudit_reference.training.tie_breaks import RULES, Pair, Value

Entry = tuple[int, Any, str]  # minus the count, the key among equals, the pair


def train(
    words: Iterable[tuple[str, int]],
    values: Sequence[Value],
    merges: int,
    tie_break: str = "lowest_id",
    *,
    min_frequency: int = 1,
    on_merge: Callable[[int], None] | None = None,
) -> list[Pair]:
    """The first merges, best first; each makes the next symbol, from `len(values)` on.

    `words` says how often each word occurs, with `chr(symbol)` for each symbol; `values` are what
    the first symbols stand for.  Training ends early when no pair occurs `min_frequency` times.

    >>> aaabdaaabac = "\\0\\0\\0\\1\\3\\0\\0\\0\\1\\0\\2"
    >>> train([(aaabdaaabac, 1)], ["a", "b", "c", "d"], 3)
    [(0, 0), (0, 1), (4, 5)]
    """
    found: list[Pair] = []
    with collector_off():
        trainer = Trainer(words, values, tie_break)
        while len(found) < merges and (pair := trainer.most_frequent(min_frequency)):
            trainer.merge(pair)
            found.append((ord(pair[0]), ord(pair[1])))
            if on_merge is not None:
                on_merge(len(found))
    return found


@contextmanager
def collector_off() -> Iterator[None]:
    """Millions of entries and no cycle among them: to look for one takes a quarter of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class Trainer:
    """Words that are merged step by step, and how often each pair occurs in them now."""

    def __init__(
        self, words: Iterable[tuple[str, int]], values: Sequence[Value], tie_break: str
    ) -> None:
        self.words: list[str] = []
        self._weights = array("q")
        for word, count in words:
            self.words.append(word)
            self._weights.append(count)
        self.values = list(values)
        self._rule = RULES[tie_break]
        self._holders: dict[str, array[int]] = {}
        self.counts: dict[str, int] = {}
        self._count()
        self._heap: list[Entry] = [self._entry(pair) for pair in self.counts]
        heapify(self._heap)

    def most_frequent(self, at_least: int = 1) -> str | None:
        """The pair that the rule picks among the most frequent, or None if none is frequent."""
        while self._heap:
            entry = self._heap[0]
            pair = entry[2]
            if pair not in self.counts:
                heappop(self._heap)
            elif self.counts[pair] < at_least:
                heappop(self._heap)  # and it can only become rarer
            elif entry == (now := self._entry(pair)):
                return pair
            else:
                heapreplace(self._heap, now)
        return None

    def merge(self, pair: str) -> None:
        """Make one symbol of every occurrence of a pair."""
        made = chr(len(self.values))
        first, second = pair[0], pair[1]
        self.values.append(self.values[ord(first)] + self.values[ord(second)])  # type: ignore[operator]
        before, after, between = self._join(pair, made)
        for symbol, count in before.items():
            self._replace(symbol + first, symbol + made, count)
        for symbol, count in after.items():
            self._replace(second + symbol, made + symbol, count)
        if between:
            self._replace(second + first, made + made, between)
        self.counts.pop(pair, None)
        self._holders.pop(pair, None)

    def first_place(self, pair: Pair) -> tuple[int, int]:
        """The first word that holds a pair, and how much of the word comes before it.

        Measured by what the symbols stand for: their number shrinks with every merge.
        """
        symbols = "".join(map(chr, pair))
        holders = self._holders[symbols]
        while (place := self.words[holders[0]].find(symbols)) < 0:
            holders.pop(0)
        return holders[0], sum(len(self.values[ord(c)]) for c in self.words[holders[0]][:place])

    def _count(self) -> None:
        counts, holders = self.counts, self._holders
        for index, (word, weight) in enumerate(zip(self.words, self._weights, strict=True)):
            for pair in map(str.__add__, word, word[1:]):
                if pair in counts:
                    counts[pair] += weight
                    holders[pair].append(index)
                else:
                    counts[pair] = weight
                    holders[pair] = array("I", (index,))

    def _join(self, pair: str, made: str) -> tuple[dict[str, int], dict[str, int], int]:
        """Merge a pair in all words; how often each symbol came before it, after it, and itself."""
        words, weights, met = self.words, self._weights, self._met
        before: dict[str, int] = {}
        after: dict[str, int] = {}
        between = 0
        for index in self._holders[pair]:
            parts = words[index].split(pair)
            if len(parts) == 1:
                continue  # merged into something else since, or seen already
            words[index] = made.join(parts)
            weight = weights[index]
            for part in parts[:-1]:
                if part:
                    met(before, part[-1], part[-1] + made, weight, index)
            for part in parts[1:]:
                if part:
                    met(after, part[0], made + part[0], weight, index)
            if len(parts) > 2 and (touching := parts[1:-1].count("")):
                between += touching * weight
                self._holders.setdefault(made + made, array("I")).append(index)
        return before, after, between

    def _met(self, counts: dict[str, int], symbol: str, pair: str, weight: int, index: int) -> None:
        if symbol in counts:
            counts[symbol] += weight
            self._holders[pair].append(index)
        else:
            counts[symbol] = weight
            self._holders[pair] = array("I", (index,))

    def _replace(self, lost: str, gained: str, count: int) -> None:
        """Some occurrences of one pair have become all those of another."""
        left = self.counts.get(lost, 0) - count
        if left > 0:
            self.counts[lost] = left
        elif self.counts.pop(lost, None) is not None:
            del self._holders[lost]
        self.counts[gained] = count
        heappush(self._heap, self._entry(gained))

    def _entry(self, pair: str) -> Entry:
        return -self.counts[pair], self._rule(self, (ord(pair[0]), ord(pair[1]))), pair
