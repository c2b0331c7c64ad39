"""Merging when a rank belongs to the token made, tuned: slices of the piece, a heap of integers.

The part that a pair would become is cut out of the piece and looked up, so there is no table of
pairs to build.  A key is a rank and a place in one integer: the heap orders by rank and then from
the left, and comparing costs nothing.  `keys[place]` is the rank of the pair that begins there
now, and an entry of the heap with another rank is stale.  `merge_textbook` in `merge` is the slow
way to the same result, and a property test compares the two.  It cuts nothing and remembers
nothing.

Source: `_byte_pair_merge_large` in tiktoken looks slices up in the same way.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import AnyStr

SHIFT = 32  # bits of a place in a key
PLACE = (1 << SHIFT) - 1
NO_PRODUCT = sys.maxsize  # above every rank
SHORT = 16  # symbols up to which a scan of the ranks beats the heap


def merge_slices(piece: AnyStr, ranks: Mapping[AnyStr, int]) -> list[AnyStr]:
    """The parts of a piece after merging; `ranks` holds product -> rank shifted left by SHIFT.

    A part is a slice `piece[place:after[place]]`, known by the place where it begins.  Parts are
    never copied while merging: a merge only moves the end of the left one.

    >>> merge_slices(b"abab!", {b"ab": 1 << SHIFT, b"ba": 0, b"aba": 2 << SHIFT})
    [b'aba', b'b', b'!']
    """
    if len(piece) <= SHORT:
        return _merge_short(piece, ranks)
    size, rank_of = len(piece), ranks.get
    # At first every part is one character, so the pair at a place would become two characters.
    keys = [rank_of(piece[place : place + 2]) for place in range(size - 1)]
    # A rank has SHIFT zero bits at its end, so adding the place gives one integer that orders by
    # rank first and by place second.
    heap = [rank + place for place, rank in enumerate(keys) if rank is not None]
    heapify(heap)
    after, before = list(range(1, size + 2)), list(range(-1, size))
    keys.append(None)  # the last part begins no pair
    while heap:
        key = heappop(heap)
        left = key & PLACE
        rank = keys[left]
        if rank is None or rank + left != key:
            continue  # stale: the pair here is another one since, or none
        # Merge: the left part now ends where the right one did.
        right = after[left]
        end = after[left] = after[right]
        keys[left] = keys[right] = None
        # The new pair with the part after, which becomes the slice up to that part's end.
        if end < size:
            before[end] = left
            if (rank := rank_of(piece[left : after[end]])) is not None:
                keys[left] = rank
                heappush(heap, rank + left)
        # The new pair with the part before; an old offer for it is stale from now on.
        if left:
            previous = before[left]
            rank = keys[previous] = rank_of(piece[previous:end])
            if rank is not None:
                heappush(heap, rank + previous)
    # Walk the list of parts once to cut them out.
    parts, place = [], 0
    while place < size:
        parts.append(piece[place : after[place]])
        place = after[place]
    return parts


def _merge_short(piece: AnyStr, ranks: Mapping[AnyStr, int]) -> list[AnyStr]:
    """Merge without a heap: among few ranks a scan finds the least, the leftmost of equals.

    `cuts` are the places between parts, the ends of the piece among them.
    """
    rank_of, cuts = ranks.get, list(range(len(piece) + 1))
    found = [rank_of(piece[place : place + 2], NO_PRODUCT) for place in cuts[:-2]]
    while found and (best := min(found)) != NO_PRODUCT:
        left = found.index(best)
        del cuts[left + 1], found[left]
        if left:
            found[left - 1] = rank_of(piece[cuts[left - 1] : cuts[left + 1]], NO_PRODUCT)
        if left < len(found):
            found[left] = rank_of(piece[cuts[left] : cuts[left + 2]], NO_PRODUCT)
    return [piece[start:end] for start, end in pairwise(cuts)]
