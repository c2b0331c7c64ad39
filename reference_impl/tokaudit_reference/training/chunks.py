"""Cuts a file into ranges of bytes that can be counted apart from one another.

A cut is where a document ends, which a special token says, so no pre-token reaches over it and
the ranges together hold exactly the pre-tokens of the file, whatever their number.  The published
patterns also end a pre-token at a line end between two letters.  A file without either is one
range.  Nothing is decoded or counted here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from tokaudit_reference.text.published_patterns import PATTERNS

RANGE = 8_000_000  # bytes, about
LOOKED_AT = 1 << 16  # bytes at a time
END_OF_LINE = rb"(?<=[A-Za-z]\n)(?=[A-Za-z])"
END_PRE_TOKENS_THERE = {pattern for patterns in PATTERNS.values() for pattern in patterns}

Range = tuple[int, int]  # half-open, in bytes


def ranges(
    path: Path, special_tokens: Sequence[str], patterns: Sequence[str] = (), size: int = RANGE
) -> list[Range]:
    """The file in ranges of about `size` bytes; `patterns` cut its text into pre-tokens."""
    end = path.stat().st_size
    boundaries = [re.escape(token.encode()) for token in unmistakable(special_tokens)]
    if {*patterns} <= END_PRE_TOKENS_THERE and patterns and "\n" not in "".join(special_tokens):
        boundaries.append(END_OF_LINE)
    longest = max([2, *(len(token.encode()) for token in special_tokens)])
    cuts = [0]
    with path.open("rb") as file:
        while boundaries and cuts[-1] + size < end:
            found = _first(file, re.compile(b"|".join(boundaries)), cuts[-1] + size, longest)
            if found is None or found >= end:
                break
            cuts.append(found)
    return list(zip(cuts, [*cuts[1:], end], strict=True))


def unmistakable(special_tokens: Sequence[str]) -> list[str]:
    """Return the tokens that overlap no other, so that each place where one is found is a token.

    >>> unmistakable(["<end>", "<a>", "<a><b>", "xyx", ""])
    ['<end>']
    """
    tokens = [token for token in dict.fromkeys(special_tokens) if token]
    return [
        token
        for token in tokens
        if not any(_overlap(token, other) or _overlap(other, token) for other in tokens)
    ]


def _overlap(left: str, right: str) -> bool:
    """Return whether the right one can begin inside the left one, or lies within it."""
    inside = right in left if left != right else False
    return inside or any(right.startswith(left[place:]) for place in range(1, len(left)))


def _first(file: BinaryIO, boundary: re.Pattern[bytes], start: int, longest: int) -> int | None:
    """Return the first boundary at or after a place; `longest` is the context it needs."""
    at = start
    while True:
        before = min(longest, at)
        file.seek(at - before)
        data = file.read(before + LOOKED_AT + longest)
        if found := boundary.search(data, before):
            return at - before + found.start()
        if len(data) < before + LOOKED_AT + longest:
            return None
        at += LOOKED_AT
