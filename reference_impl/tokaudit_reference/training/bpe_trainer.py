"""The BPE trainer for real corpora: the counts are kept up to date instead of being taken anew.

A word is a string with one character for each symbol, so `str.split` finds the places of a pair and
`str.join` merges it.  An index tells which words hold a pair; a word that lost it since is passed
over.  A merge changes only the pairs next to it, and every pair with the new symbol is made by this
merge, so its count is known when the merge is done.  A pair can only become rarer after that: the
heap keeps what was true once, and an entry that is too high is put back with what is true now.
Most pairs are never frequent, so the heap holds those above a floor, which sinks when it is empty.

The textbook's version is `textbook_bpe.py`.  Words are counted in `words.py`; nothing is read here.

Source: "Neural Machine Translation of Rare Words with Subword Units" (2016); the index and lazy
heap as in Hugging Face's tokenizers.
"""

from __future__ import annotations

import gc
import sys
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from heapq import heapify, heappop, heappush, heapreplace
from itertools import pairwise
from operator import add
from typing import Any

from tokaudit_reference.spec import SpecError
from tokaudit_reference.training.tie_breaks import RULES, Pair, Value

Entry = tuple[int, Any, str]  # minus the count, the key among equals, the pair
Indices = array  # of words; a word is in it once for each occurrence
SYMBOLS = sys.maxunicode + 1  # as many as there are characters to stand for them


def train(
    words: Iterable[tuple[str, int]],
    values: Sequence[Value],
    merges: int,
    tie_break: str = "lowest_id",
    *,
    min_frequency: int = 1,
    on_merge: Callable[[int, int], None] | None = None,
) -> list[Pair]:
    """Learn the first merges, best first; each makes the next symbol, from `len(values)` on.

    `words` says how often each word occurs, with `chr(symbol)` for each symbol; `values` are what
    the first symbols stand for.  Training ends early when no pair occurs `min_frequency` times.
    `on_merge` gets how many merges are done, and how often the last of them occurred.

    >>> aaabdaaabac = "\\0\\0\\0\\1\\3\\0\\0\\0\\1\\0\\2"
    >>> train([(aaabdaaabac, 1)], ["a", "b", "c", "d"], 3)
    [(0, 0), (0, 1), (4, 5)]
    """
    found: list[Pair] = []
    with collector_off():
        trainer = Trainer(words, values, tie_break)
        while len(found) < merges and (pair := trainer.most_frequent(min_frequency)):
            count = trainer.counts[pair]
            trainer.merge(pair)
            found.append((ord(pair[0]), ord(pair[1])))
            if on_merge is not None:
                on_merge(len(found), count)
        del trainer  # else its millions of entries are looked through once the collector is on
    return found


@contextmanager
def collector_off() -> Iterator[None]:
    """Switch the garbage collector off: a quarter of the time goes to cycles that never occur."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class Trainer:
    """Merges words step by step, and keeps the count of each pair."""

    def __init__(
        self,
        words: Iterable[tuple[str, int]],
        values: Sequence[Value],
        tie_break: str,
        older: Mapping[Value, int] | None = None,
    ) -> None:
        self.words: list[str] = []
        self._weights: list[int] = []
        for word, count in words:
            self.words.append(word)
            self._weights.append(count)
        self.values, self.older = list(values), older or {}
        self._rule = RULES[tie_break]
        self._holders = dict(self._index())
        self.counts = {pair: self._weight(indices) for pair, indices in self._holders.items()}
        self._heap: list[Entry] = []
        self._floor = sys.maxsize

    def most_frequent(self, at_least: int = 1) -> str | None:
        """Return the rule's choice among the most frequent pairs, or None if none is frequent."""
        while self._heap or self._sink():
            entry = self._heap[0]
            pair = entry[2]
            if self.counts.get(pair, 0) < self._floor:
                heappop(self._heap)  # and it can only become rarer
            elif entry != (now := self._entry(pair)):
                heapreplace(self._heap, now)
            else:
                return pair if self.counts[pair] >= at_least else None
        return None

    def merge(self, pair: str) -> None:
        """Replace every occurrence of a pair by one symbol."""
        if len(self.values) >= SYMBOLS:
            raise SpecError(
                f"there are {SYMBOLS:,} symbols and no character for another",
                remedy="ask for a smaller vocabulary",
            )
        made = chr(len(self.values))
        first, second = pair[0], pair[1]
        self.values.append(self.values[ord(first)] + self.values[ord(second)])  # type: ignore[operator]
        before, after, between = self._join(pair, made)
        for symbol, indices in before.items():
            self._replace(symbol + first, symbol + made, indices)
        for symbol, indices in after.items():
            self._replace(second + symbol, made + symbol, indices)
        if between:
            self._replace(second + first, made + made, between)
        self._forget(pair)

    def leave_out(self, pair: str) -> None:
        """Never choose a pair; it comes back where a merge makes it anew."""
        self._forget(pair)

    def first_place(self, pair: Pair) -> tuple[int, int]:
        """Return the first word that holds a pair, and the amount of the word before it.

        Measured by what the symbols stand for: their number shrinks with every merge.
        """
        symbols = "".join(map(chr, pair))
        holders = self._holders[symbols]
        while (place := self.words[holders[0]].find(symbols)) < 0:
            holders.pop(0)
        return holders[0], sum(len(self.values[ord(c)]) for c in self.words[holders[0]][:place])

    def weighted(self) -> Iterator[tuple[str, int]]:
        """Yield each word as it is merged now, and its count."""
        return zip(self.words, self._weights, strict=True)

    def _index(self) -> dict[str, Indices[int]]:
        holders: dict[str, Indices[int]] = defaultdict(nowhere)
        for index, word in enumerate(self.words):
            for pair in map(add, word, word[1:]):
                holders[pair].append(index)
        return holders

    def _weight(self, indices: Indices[int]) -> int:
        return sum(map(self._weights.__getitem__, indices))

    def _join(
        self, pair: str, made: str
    ) -> tuple[dict[str, Indices[int]], dict[str, Indices[int]], Indices[int]]:
        """Merge a pair in all words; return the symbols before it, after it, and itself."""
        words = self.words
        before: dict[str, Indices[int]] = defaultdict(nowhere)
        after: dict[str, Indices[int]] = defaultdict(nowhere)
        between = nowhere()
        for index in self._holders[pair]:
            left, there, right = words[index].partition(pair)
            if not there:
                continue  # merged into something else since, or seen already
            if pair not in right:  # as in most words, and sooner done
                words[index] = left + made + right
                if left:
                    before[left[-1]].append(index)
                if right:
                    after[right[0]].append(index)
                continue
            parts = [left, *right.split(pair)]
            words[index] = made.join(parts)
            for left, right in pairwise(parts):
                if left:
                    before[left[-1]].append(index)
                if right:
                    after[right[0]].append(index)
            between.extend([index] * parts[1:-1].count(""))
        return before, after, between

    def _replace(self, lost: str, gained: str, indices: Indices[int]) -> None:
        """Move occurrences of one pair, which are all of another, to that."""
        count = self._weight(indices)
        left = self.counts.get(lost, 0) - count
        if left > 0:
            self.counts[lost] = left
        else:
            self._forget(lost)
        self.counts[gained] = count
        self._holders[gained] = indices
        if count >= self._floor:
            heappush(self._heap, self._entry(gained))

    def _forget(self, pair: str) -> None:
        self.counts.pop(pair, None)
        self._holders.pop(pair, None)

    def _sink(self) -> bool:
        """Fill the heap with the pairs at least half as frequent as the most frequent one."""
        self._floor = (max(self.counts.values(), default=0) + 1) // 2
        self._heap = [self._entry(pair) for pair, n in self.counts.items() if n >= self._floor]
        heapify(self._heap)
        return bool(self._heap)

    def _entry(self, pair: str) -> Entry:
        return -self.counts[pair], self._rule(self, (ord(pair[0]), ord(pair[1]))), pair


def nowhere() -> Indices[int]:
    """Return an empty set of words."""
    return array("I")
