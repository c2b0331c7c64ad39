"""WordPiece: the longest piece that matches, again and again; one failure makes the word unknown.

It does not split text into words, and trains nothing.

Source: `tokenization.py` in the BERT release.
"""

from __future__ import annotations

from collections.abc import Mapping


def wordpiece(
    word: str,
    initial: Mapping[str, int],
    continuation: Mapping[str, int],
    unknown: int | None,
    longest: int = 100,
) -> list[int]:
    """The ids of a word; `initial` holds pieces that begin a word, `continuation` the others.

    >>> wordpiece("unable", {"un": 1, "u": 2}, {"able": 3}, 0)
    [1, 3]
    >>> wordpiece("unit", {"un": 1}, {"able": 3}, 0)
    [0]
    """
    nothing = [] if unknown is None else [unknown]
    if len(word) > longest:
        return nothing
    found, at = [], 0
    while at < len(word):
        pieces = continuation if at else initial
        end = len(word)
        while end > at and word[at:end] not in pieces:
            end -= 1
        if end == at:
            return nothing
        found.append(pieces[word[at:end]])
        at = end
    return found
