"""Cuts a file into ranges of bytes that can be counted apart from one another.

A cut is where a document ends, which a special token says, so no pre-token reaches over it and
the ranges together hold exactly the pre-tokens of the file, whatever their number.  A file without
such a token is one range.  Nothing is decoded or counted here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

RANGE = 8_000_000  # bytes, about
LOOKED_AT = 1 << 16  # bytes at a time

Range = tuple[int, int]  # half-open, in bytes


def ranges(path: Path, special_tokens: Sequence[str], size: int = RANGE) -> list[Range]:
    """The file in ranges of about `size` bytes, each beginning with a document's boundary."""
    end = path.stat().st_size
    boundaries = [token.encode() for token in unmistakable(special_tokens)]
    cuts = [0]
    with path.open("rb") as file:
        while boundaries and cuts[-1] + size < end:
            found = min(_places(file, boundaries, cuts[-1] + size), default=end)
            if found >= end:
                break
            cuts.append(found)
    return list(zip(cuts, [*cuts[1:], end], strict=True))


def unmistakable(special_tokens: Sequence[str]) -> list[str]:
    """The tokens that no token can overlap, so that each place where one is found is a token.

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


def _places(file: BinaryIO, boundaries: Sequence[bytes], start: int) -> Iterator[int]:
    """Find where each boundary first is at or after a place."""
    longest = max(map(len, boundaries))
    at = start
    while True:
        file.seek(at)
        data = file.read(LOOKED_AT + longest)
        found = [at + place for token in boundaries if (place := data.find(token)) >= 0]
        if found or len(data) < LOOKED_AT + longest:
            yield from found
            return
        at += LOOKED_AT
