"""WordPiece: the longest piece that matches, again and again; one failure makes the word unknown.

It does not split text into words, and trains nothing.

Source: `tokenization.py` in the BERT release.
"""

from __future__ import annotations

from collections.abc import Mapping

Placed = tuple[int, int, int]  # id, start, end


def wordpiece(
    word: str, initial: Mapping[str, int], continuation: Mapping[str, int]
) -> list[Placed] | None:
    """The ids of a word with their ranges, or None if it cannot be covered.

    `initial` holds pieces that begin a word, `continuation` the others, without their mark.

    >>> wordpiece("unable", {"un": 1, "u": 2}, {"able": 3})
    [(1, 0, 2), (3, 2, 6)]
    >>> wordpiece("unit", {"un": 1}, {"able": 3})
    """
    found: list[Placed] = []
    at = 0
    while at < len(word):
        pieces = continuation if at else initial
        end = len(word)
        while end > at and word[at:end] not in pieces:
            end -= 1
        if end == at:
            return None
        found.append((pieces[word[at:end]], at, end))
        at = end
    return found
