"""Finds the places of a piece that no merge can cross, so that each side is merged on its own.

A merge across the seam between two characters makes a token that holds the end of the one and the
beginning of the other.  Where the vocabulary has no such token, cutting there changes nothing: the
merges on either side see neither each other's symbols nor each other's ranks.  ASCII is not cut,
as nearly all tokens are of it and its words are short.  Chinese and Japanese
come in runs of dozens of characters that are never seen twice, yet most of their seams are open,
and the short parts between are seen again and again.  What the parts become is not decided here.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

CONTINUES = range(0x80, 0xC0)  # bytes of a character after its first
LIMIT = 500_000  # pairs of characters remembered
Seam = tuple[bytes, bytes]  # what a token has of the last character before, and of the next


class Seams(dict[str, bool]):
    """Two neighbouring characters -> whether a token spans the seam between them.

    >>> Seams([b"ab", "语".encode() + b"\\xe8"]).cut("ab语言语a")
    ['ab', '语言', '语', 'a']
    """

    __slots__ = ("_spanned", "_whole")

    def __init__(self, tokens: Iterable[bytes]) -> None:
        super().__init__()
        self._spanned: set[Seam] = set()  # of tokens that begin or end inside a character
        self._whole: set[tuple[str, str]] = set()  # between whole characters, of all others
        for token in tokens:
            if token.isascii():
                continue
            try:
                text = token.decode()
            except UnicodeDecodeError:
                self._spanned.update(seams_of(token))
            else:
                self._whole.update(pairwise(text))

    def __missing__(self, pair: str) -> bool:
        if len(self) >= LIMIT:
            self.clear()
        left, right = (character.encode() for character in pair)
        spanned = self[pair] = (
            pair.isascii()
            or tuple(pair) in self._whole
            or any(
                (left[start:], right[:end]) in self._spanned
                for start in range(len(left))
                for end in range(1, len(right) + 1)
            )
        )
        return spanned

    def cut(self, piece: str) -> list[str]:
        """The piece in parts between which no merge can happen."""
        parts, start = [], 0
        for place in range(1, len(piece)):
            if not self[piece[place - 1 : place + 1]]:
                parts.append(piece[start:place])
                start = place
        parts.append(piece[start:])
        return parts


def seams_of(token: bytes) -> list[Seam]:
    """Return each seam between characters inside a token, with the token's part of each.

    >>> seams_of(b"\\x82a" + "é".encode()[:1])
    [(b'\\x82', b'a'), (b'a', b'\\xc3')]
    """
    begins = [place for place, byte in enumerate(token) if place and byte not in CONTINUES]
    edges = [0, *begins, len(token)]
    return [
        (token[edges[index - 1] : place], token[place : edges[index + 1]])
        for index, place in enumerate(begins, 1)
    ]
