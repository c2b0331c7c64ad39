"""Splits a stream of text so that its cuts make no difference.

A piece at the end of what has arrived may still grow, a pattern may look past its match, and a
special token may have arrived by half.  So the last pieces are kept back and split again with what
comes next, and so is the beginning of a special token.  Nothing is encoded here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

KEPT = 4  # pieces


def settled_pieces(
    chunks: Iterable[str], pieces: Callable[[str], list[str]], specials: Sequence[str]
) -> Iterator[list[str]]:
    """Lists of pieces that together are those of the whole text.

    That holds for every pattern that looks at most KEPT pieces past a match and never before it, as
    all the published ones do: they look over a run of white space and one character, or over an
    English contraction.

    >>> words = re.compile(r"<end>|[a-z]+|.").findall
    >>> list(settled_pieces(["to", "kens<e", "nd>"], words, ["<end>"]))
    [[], [], [], ['tokens', '<end>']]
    """
    prefixes = {token[:length] for token in specials for length in range(1, len(token))}
    whole = re.compile("|".join(map(re.escape, sorted(specials, key=len, reverse=True))) or "(?!)")
    longest = max(map(len, prefixes), default=0)
    held = ""
    for chunk in chunks:
        held += chunk
        ready = pieces(held[: _decided(held, prefixes, longest, whole)])[:-KEPT]
        held = held[sum(map(len, ready)) :]
        yield ready
    yield pieces(held)


def _decided(text: str, prefixes: set[str], longest: int, whole: re.Pattern[str]) -> int:
    """Return the end of the text, or the start of a special token that may be incomplete."""
    for start in range(max(0, len(text) - longest), len(text)):
        if text[start:] in prefixes and not _inside(start, text, whole):
            return start
    return len(text)


def _inside(place: int, text: str, whole: re.Pattern[str]) -> bool:
    return any(found.start() < place < found.end() for found in whole.finditer(text))
