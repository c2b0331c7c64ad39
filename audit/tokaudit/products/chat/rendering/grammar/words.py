"""Unique words that no template contains, so that each can be searched for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

FIRST = ("Bra", "Clo", "Dru", "Fle", "Gri", "Klu", "Mox", "Nev", "Pli", "Quo", "Sta", "Tve", "Vro")
MIDDLE = ("li", "no", "ru", "ve", "za", "mi")
STEP = 59  # a prime that does not divide their number, so that neighbours share no syllable
LAST = ("bent", "dorf", "gask", "lum", "norp", "quil", "rask", "tov")


def drawn_words() -> Iterator[str]:
    """Yield the words in order; none is part of another, as all have three syllables.

    >>> words = drawn_words()
    >>> next(words), next(words)
    ('Bralibent', 'Clonolum')
    """
    return iter(_every())


@cache
def _every() -> tuple[str, ...]:
    every = [a + b + c for a, b, c in product(FIRST, MIDDLE, LAST)]
    return tuple(every[place * STEP % len(every)] for place in range(len(every)))
