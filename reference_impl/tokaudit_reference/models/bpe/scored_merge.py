"""SentencePiece's way of byte-pair encoding: whatever two neighbours spell is looked up as a piece.

There is no list of merges: of all neighbours that spell a piece, those with the best rank are
joined, the leftmost of equals.  The neighbours themselves need not be pieces.  A symbol of the user
is frozen, which keeps it out of every merge.  A piece of the type `unused` may be made on the way
but not come out: it is taken apart into the two parts that were last seen to spell it, and they
again.  Nothing is turned into ids here.

Source: `bpe_model.cc` in sentencepiece.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from heapq import heappop, heappush


def merge_scored(
    symbols: Sequence[str],
    ranks: Mapping[str, float],
    *,
    frozen: Collection[int] = (),
    unused: Collection[str] = (),
) -> list[str]:
    """The parts of a text after merging; `frozen` are the places of symbols that stay alone.

    >>> merge_scored("abab", {"ab": 1, "ba": 0})
    ['a', 'ba', 'b']
    >>> merge_scored("abab", {"ab": 1, "ba": 0}, frozen=[1])
    ['a', 'b', 'ab']
    >>> merge_scored("abc", {"ab": 0, "abc": 1}, unused=["abc"])
    ['ab', 'c']
    """
    word, size = list(symbols), len(symbols)
    after, before = list(range(1, size + 1)), list(range(-1, size - 1))
    waiting: list[tuple[float, int, int]] = []  # rank, the place of the left part, length made
    halves: dict[str, tuple[str, str]] = {}

    def consider(left: int, right: int) -> None:
        if left < 0 or right >= size or left in frozen or right in frozen:
            return
        made = word[left] + word[right]
        if (rank := ranks.get(made)) is not None:
            heappush(waiting, (rank, left, len(made)))
            if made in unused:
                halves[made] = word[left], word[right]

    for place in range(1, size):
        consider(place - 1, place)
    while waiting:
        _, left, length = heappop(waiting)
        right = after[left]
        if right >= size or not word[left] or len(word[left]) + len(word[right]) != length:
            continue  # stale: one of the two was merged since
        word[left] += word[right]
        word[right] = ""
        after[left] = end = after[right]
        if end < size:
            before[end] = left
        consider(before[left], left)
        consider(left, end)
    return apart([part for part in word if part], halves)


def apart(parts: Sequence[str], halves: Mapping[str, tuple[str, str]]) -> list[str]:
    """Replace each part that has halves by them, and those by theirs.

    >>> apart(["abc", "d"], {"abc": ("ab", "c"), "ab": ("a", "b")})
    ['a', 'b', 'c', 'd']
    """
    found: list[str] = []
    waiting = list(reversed(parts))
    while waiting:
        part = waiting.pop()
        if part in halves:
            waiting += reversed(halves[part])
        else:
            found.append(part)
    return found
