"""The BPE trainer in the words of the textbook: count all pairs, merge the most frequent, repeat.

Every step counts everything anew, which makes it slow and easy to believe; `bpe_trainer.py` gives
the same merges and is held equal to it.  It splits no text into words.

Source: "Neural Machine Translation of Rare Words with Subword Units" (2016).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from tokaudit_reference.training.tie_breaks import RULES, Pair, Value

Word = tuple[int, ...]


def train_textbook(
    words: Iterable[tuple[Word, int]],
    values: Sequence[Value],
    merges: int,
    tie_break: str = "lowest_id",
) -> list[Pair]:
    """Learn the first merges, best first; each makes the next symbol, from `len(values)` on.

    `words` says how often each word occurs; `values` are what the first symbols stand for.  In
    "low" five times, "lower" twice, "newest" six times and "widest" three times, `e s` and `s t`
    stand nine times each; `e` is the older symbol, so it goes first, and `es t` follows:

    >>> letters = "deilnorstw"
    >>> counts = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    >>> words = [(tuple(map(letters.index, word)), count) for word, count in counts.items()]
    >>> symbols = list(letters)
    >>> for left, right in train_textbook(words, letters, 4):
    ...     symbols.append(symbols[left] + symbols[right])
    >>> symbols[len(letters):]
    ['es', 'est', 'lo', 'low']
    >>> aaabdaaabac = (0, 0, 0, 1, 3, 0, 0, 0, 1, 0, 2)
    >>> train_textbook([(aaabdaaabac, 1)], ["a", "b", "c", "d"], 3)
    [(0, 0), (0, 1), (4, 5)]
    """
    found: list[Pair] = []
    text, rule = Text(list(words), list(values)), RULES[tie_break]
    while len(found) < merges and (pairs := pair_counts(text.words)):
        best = min(pairs, key=lambda pair: (-pairs[pair], rule(text, pair), pair))
        made = len(text.values)
        text.words = [(merged(word, best, made), count) for word, count in text.words]
        text.values.append(text.values[best[0]] + text.values[best[1]])  # type: ignore[operator]
        found.append(best)
    return found


def pair_counts(words: Iterable[tuple[Word, int]]) -> Counter[Pair]:
    """Count the occurrences of each pair of neighbours.

    >>> pair_counts([((1, 2, 3), 5), ((1, 2), 2)])
    Counter({(1, 2): 7, (2, 3): 5})
    """
    pairs: Counter[Pair] = Counter()
    for word, count in words:
        for pair in pairwise(word):
            pairs[pair] += count
    return pairs


def merged(word: Word, pair: Pair, made: int) -> Word:
    """Return a word with every occurrence of a pair, from the left, made one symbol.

    >>> merged((1, 1, 1, 2), (1, 1), 9)
    (9, 1, 2)
    """
    found: list[int] = []
    at = 0
    while at < len(word):
        here = word[at : at + 2] == pair
        found.append(made if here else word[at])
        at += 2 if here else 1
    return tuple(found)


class Text:
    """The words as merged so far, for rules that decide ties."""

    def __init__(self, words: list[tuple[Word, int]], values: list[Value]) -> None:
        self.words, self.values = words, values
        self.older: Mapping[Value, int] = {}

    def first_place(self, pair: Pair) -> tuple[int, int]:
        """Return the first word that holds a pair, and its place in it."""
        return next(
            (index, place)
            for index, (word, _) in enumerate(self.words)
            for place, found in enumerate(pairwise(word))
            if found == pair
        )
