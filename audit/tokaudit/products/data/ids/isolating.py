"""Find documents that crash the tokenizer's process, to count the rest of a piece.

A piece is asked again without some of the documents that are drawn from it, which are halved until
each that ends the process alone is known.  What is found depends on the piece and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from tokaudit.products.data.ids.counts.tally import Sign, Tally

Ranges = tuple[tuple[int, int], ...]  # of documents by their turn among those that are drawn
Ask = Callable[[Ranges], Tally | None]

MOST_KILLERS = 5  # of a piece, each found by about twenty questions
ALL = 1 << 62


def without_killers(ask: Ask) -> Tally | None:
    """Return the tally of a piece without crashing documents; None if that fails.

    `ask` gives the tally without some documents, and None where the process ends all the same.
    """
    counted = ask(((0, ALL),))
    drawn = counted.count(Sign.KILLS) if counted is not None else 0
    if not drawn:
        return None
    killers = list(islice(_killers(ask, 0, drawn), MOST_KILLERS + 1))
    if not killers or len(killers) > MOST_KILLERS:
        return None
    return ask(tuple((at, at + 1) for at in killers))


def _killers(ask: Ask, start: int, stop: int) -> Iterator[int]:
    """Yield the crashing documents of a range that crashes."""
    if stop - start == 1:
        yield start
        return
    middle = (start + stop) // 2
    for first, last in ((start, middle), (middle, stop)):
        if ask(((0, first), (last, ALL))) is None:
            yield from _killers(ask, first, last)
