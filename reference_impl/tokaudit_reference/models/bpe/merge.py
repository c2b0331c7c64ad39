"""Byte-pair encoding: merge the best-ranked neighbouring pair until none is left.

`merge_textbook` is the algorithm in the words of the textbook; `merge_fast` gives the same with a
linked list and a heap whose stale entries are recognised and dropped.  Both work on ids and know
nothing of text.  Neither trains.

Source: "Neural Machine Translation of Rare Words with Subword Units" (2016).
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from itertools import pairwise

Pair = tuple[int, int]
Offer = tuple[float, int, int]  # rank, the place of the left part, product
Ranked = tuple[float, int]  # rank, lower first, and the id that the pair becomes
Last = tuple[float, tuple[int, int, int]]  # the rank of a merge, its two parts and its product
SHORT = 6  # symbols up to which the textbook's scan beats the heap


def merge(symbols: Sequence[int], table: Mapping[Pair, Ranked]) -> list[int]:
    """The symbols merged as far as the table goes, by whichever way is quicker."""
    return (merge_textbook if len(symbols) <= SHORT else merge_fast)(symbols, table)


def merge_textbook(symbols: Sequence[int], table: Mapping[Pair, Ranked]) -> list[int]:
    """Merge the best-ranked pair, the leftmost of equals, until no pair is in the table.

    >>> merge_textbook([1, 2, 1, 2, 3], {(1, 2): (0, 9), (9, 3): (1, 10)})
    [9, 10]
    """
    word = list(symbols)
    while len(word) > 1:
        # Look every neighbouring pair up anew.  `min` over (rank, place) takes the best rank, and
        # of equal ranks the leftmost: that is the whole rule of BPE.
        found = [table.get(pair) for pair in pairwise(word)]
        ranked = [(entry[0], place) for place, entry in enumerate(found) if entry is not None]
        if not ranked:
            break
        place = min(ranked)[1]
        entry = found[place]
        assert entry is not None
        word[place : place + 2] = [entry[1]]
    return word


def merge_fast(symbols: Sequence[int], table: Mapping[Pair, Ranked]) -> list[int]:
    """Merge as `merge_textbook` does, in time n log n.

    >>> merge_fast([1, 2, 1, 2, 3], {(1, 2): (0, 9), (9, 3): (1, 10)})
    [9, 10]
    """
    return [id for id in merge_places(symbols, table) if id is not None]


def merge_places(
    symbols: Sequence[int], table: Mapping[Pair, Ranked], last: list[Last] | None = None
) -> list[int | None]:
    """Merge, and return each id at the place of its first symbol, None at the others.

    The textbook looks at every pair again after each merge, although a merge changes two pairs
    only: the ones on either side of it.  Here every pair is put on a heap once, as an offer to
    merge it, and after a merge just its two new neighbours are.  Symbols keep their places; a
    doubly linked list leads over the ones that were merged away.  `last` is filled with the merge
    that was made last.

    >>> merge_places([1, 2, 1, 2, 3], {(1, 2): (0, 9), (9, 3): (1, 10)})
    [9, None, 10, None, None]
    """
    word: list[int | None] = list(symbols)
    size, entry_of = len(word), table.get
    # The linked list: the places of the symbols right and left of each place.  `size` is the end
    # and -1 the beginning; `after` has one entry more, so that the end has an `after` too.
    after, before = list(range(1, size + 2)), list(range(-1, size))
    # The offer that is valid now for the pair beginning at each place, None where there is none.
    offers: list[Offer | None] = []
    for left, pair in enumerate(pairwise(symbols)):
        entry = entry_of(pair)
        offers.append(None if entry is None else (entry[0], left, entry[1]))
    # Tuples compare by rank and then by place, so the heap gives the best rank, leftmost first.
    waiting = [offer for offer in offers if offer is not None]
    heapq.heapify(waiting)
    offers.append(None)
    while waiting:
        offer = heapq.heappop(waiting)
        _, left, product = offer
        if offers[left] is not offer:
            # Stale: one of the two symbols was merged since.  Taking an offer out of the middle of
            # a heap is slow, so old ones stay in it and are dropped when they come up.  They are
            # recognised by identity: an equal offer made later for this place is another one.
            continue
        # Merge: the product takes the left place, and the list skips the right one.
        right = after[left]
        if last is not None:
            last[:] = [(offer[0], (word[left], word[right], product))]  # type: ignore[list-item]
        end = after[left] = after[right]
        word[left], word[right] = product, None
        before[end] = left
        offers[right] = None  # what began at the right symbol begins nowhere now
        # The product has two new pairs, with its right and its left neighbour.  Writing None for a
        # pair that is not in the table makes the offer that was there before stale as well.
        for a, b in ((left, end), (before[left], left)):
            if a < 0:
                continue  # there is nothing to the left
            entry = entry_of((word[a], word[b])) if b < size else None  # type: ignore[arg-type]
            offers[a] = new = None if entry is None else (entry[0], a, entry[1])
            if new is not None:
                heapq.heappush(waiting, new)
    return word
