"""Finds the matches of a pattern in a text, as the libraries' engines walk it.

After a match, Python looks for an empty one at its very end, and after an empty one for another at
the same place.  Oniguruma and Rust do neither, and go on one character later.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from tokaudit_reference.text.alignment import Span


class Finds(Protocol):
    """The methods of a compiled pattern that are in use."""

    def finditer(self, text: str, at: int = 0, /) -> Any:
        """The match objects of all matches from a place on."""


def find(expression: Finds, text: str) -> Iterator[Span]:
    """The spans of the matches, without the empty ones that touch the match before.

    >>> import re
    >>> list(find(re.compile("a*|b"), "ab"))
    [(0, 1), (2, 2)]
    """
    at, last = 0, -1
    while at <= len(text):
        for match in expression.finditer(text, at):
            start, end = match.span()
            if start < end:
                yield start, end
                last = end
                continue
            if end != last:
                yield start, end
            # Python would now try for a longer match at the same place.
            at = last = end
            break
        else:
            return
        at += 1


def find_as_python(expression: Finds, text: str) -> Iterator[Span]:
    """Find as Python does: after an empty match, another may begin at the same place.

    >>> import re
    >>> list(find_as_python(re.compile("a*|b"), "ab"))
    [(0, 1), (1, 2)]
    """
    last = -1
    for match in expression.finditer(text):
        start, end = match.span()
        if start == end == last:
            continue
        yield start, end
        last = end


def find_literal(literal: str, text: str) -> Iterator[Span]:
    """The spans of a literal; an empty one is at every place, as an empty expression is.

    >>> list(find_literal("a", "aba")), list(find_literal("", "ab"))
    ([(0, 1), (2, 3)], [(0, 0), (1, 1), (2, 2)])
    """
    if not literal:
        yield from ((at, at) for at in range(len(text) + 1))
        return
    at = text.find(literal)
    while at >= 0:
        end = at + len(literal)
        yield at, end
        at = text.find(literal, end)
