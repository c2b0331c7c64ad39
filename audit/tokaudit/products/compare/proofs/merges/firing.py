"""Find the merges that can ever fire, in one pass over the ranks.

**When a merge fires.**  Say that the merge of x and y fires somewhere in some text.  Until then no
merge crossed the two ends of what becomes x+y, so what went on between them is what goes on when
the text is just x+y: each step takes the best pair of all, hence the best of those inside.  So a
merge that does not fire on its own token's text never fires, and leaving it out changes nothing.
That is true of every table; `fires_by_definition` says it in code.

**The quick way** needs each part to be learned before what is made of it.  Then merging is a sweep
through the ranks: rank by rank, all neighbours x y of that rank are joined from the left, because a
merge can only make room for later ones.  x and y meet, and fire, exactly if nothing crosses the
boundary between them earlier.  What is at the boundary at a given time is a piece on the right
edge of x's merge tree and one on the left edge of y's.  So it is enough to walk down those two
edges, from x and y towards the characters, and ask of each pair that met there whether it has a
merge that came in time (`_crossed`).

Sources: the pair lemma and the walk are known from `crates/bpe` in github/rust-gems (corollaries II
and III of its README) and from "Language models over canonical byte-pair encodings" (2025).  The
argument about sweeps is that of "Formalizing BPE tokenization" (2023), on proper dictionaries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tokaudit.products.compare.proofs.merges.candidates import Merge, atoms
from tokaudit_reference.models.bpe.effective import SYMBOL, stay_apart
from tokaudit_reference.models.bpe.merge import merge
from tokaudit_reference.models.bpe.merge_table import Surface

ALWAYS = float("-inf")  # the rank at which characters and bytes are there


@dataclass(frozen=True, slots=True)
class Firing:
    """The merges that can fire, and the reason if they have no normal form."""

    merges: tuple[Merge, ...]
    disorder: str = ""


def firing(rows: Sequence[Merge], suffix: str = "") -> Firing:
    """Return the merges that can fire, quickly if the order of ranks allows it.

    >>> rows = [Merge(0, "b", "c", "bc"), Merge(1, "a", "b", "ab"), Merge(2, "ab", "c", "abc")]
    >>> [merge.product for merge in firing(rows).merges]
    ['bc', 'ab']
    """
    disorder = _tie(rows)
    if not disorder:
        kept, disorder = _sweep(rows, suffix)
        if not disorder:
            return Firing(kept)
    return Firing(_fires_in_any_order(rows, suffix), disorder)


def fires_by_definition(rows: Sequence[Merge], suffix: str = "") -> tuple[Merge, ...]:
    """Return the merges that fire on the text of their own token, for any table.

    >>> rows = [Merge(0, "ab", "c", "abc"), Merge(1, "a", "b", "ab")]
    >>> fires_by_definition(rows) == tuple(rows)
    True
    """
    last = _LastMerge(rows, suffix)
    return tuple(row for row in rows if last.of(row.product) == (row.left, row.right))


def _fires_in_any_order(rows: Sequence[Merge], suffix: str) -> tuple[Merge, ...]:
    """Return the same merges, most of them without merging a text."""
    last = _LastMerge(rows, suffix)
    if not suffix:  # a mark makes the last symbol of a token another one than in its parts
        last.settle(rows)
    return tuple(row for row in rows if last.of(row.product) == (row.left, row.right))


class _LastMerge:
    """Finds the two parts left just before a token's text becomes the token.

    The merges towards the token are taken away while its text is merged: all else goes as it would,
    and what is left cannot be merged.
    """

    def __init__(self, rows: Sequence[Merge], suffix: str) -> None:
        self._number: dict[Surface, int] = {}
        self._suffix = suffix
        self._ways: dict[Surface, list[tuple[int, int]]] = {}
        self._table: dict[tuple[int, int], tuple[float, int]] = {}
        self._found: dict[Surface, tuple[Surface, ...]] = {}
        number = self._number
        for rank, left, right, product in rows:
            pair = (number.setdefault(left, len(number)), number.setdefault(right, len(number)))
            self._table[pair] = rank, number.setdefault(product, len(number))
            self._ways.setdefault(product, []).append(pair)
        self._piece = list(number)

    def settle(self, rows: Sequence[Merge]) -> None:
        """Record the parts of tokens whose two settled parts nothing crosses.

        That holds whatever the order of the other ranks is; see `stay_apart`.
        """
        number = self._number
        known = {id: SYMBOL for piece, id in number.items() if len(piece) == 1}
        for rank, left, right, product in rows:
            one, other, made = number[left], number[right], number[product]
            if one not in known or other not in known or made in known or product in self._found:
                continue
            if stay_apart(one, other, known, self._table):
                self._found[product] = left, right
                if rank >= known[one][0] and rank >= known[other][0]:
                    known[made] = rank, one, other

    def of(self, product: Surface) -> tuple[Surface, ...]:
        """Return the parts that are left; two, if the token can be built at all."""
        if product not in self._found:
            symbols = [self._number.get(atom) for atom in atoms(product, self._suffix)]
            known = [symbol for symbol in symbols if symbol is not None]
            if len(known) < len(symbols):
                return ()  # a symbol of it is part of no merge
            taken = {pair: self._table.pop(pair) for pair in self._ways[product]}
            self._found[product] = tuple(self._piece[id] for id in merge(known, self._table))
            self._table |= taken
        return self._found[product]


def _sweep(rows: Sequence[Merge], suffix: str) -> tuple[tuple[Merge, ...], str]:
    """Return the merges that fire, or the one that fires before a part is learned."""
    born: dict[Surface, Merge] = {}
    ranks: dict[tuple[Surface, Surface], float] = {}
    early: list[Merge] = []  # listed before a part of it was learned, if that ever is
    base = _single(rows, suffix)
    for row in rows:
        rank, left, right, product = row
        if (left not in born and left not in base) or (right not in born and right not in base):
            early.append(row)
        elif product not in born and not _crossed(left, right, born, ranks):
            born[product], ranks[left, right] = row, rank
    last = _LastMerge(rows, suffix) if early else None
    for row in early:
        if last and _fires_late(row, born, base, last):
            what = f"{row.left!r} + {row.right!r} comes before one of its parts is learned"
            return (), f"the merge {what}, and fires"
    return tuple(born.values()), ""


def _single(rows: Sequence[Merge], suffix: str) -> frozenset[Surface]:
    """Return the parts that are single symbols."""
    parts = {part for row in rows for part in (row.left, row.right)}
    longest = 1 + len(suffix.encode())
    return frozenset(p for p in parts if len(p) <= longest and len(atoms(p, suffix)) == 1)


def _crossed(
    left: Surface,
    right: Surface,
    born: Mapping[Surface, Merge],
    ranks: Mapping[tuple[Surface, Surface], float],
) -> bool:
    """Return whether a merge crosses the boundary before the two pieces meet.

    Going back in time: of the two pieces at the boundary the one that was born last was, before, a
    piece at the edge of it.  `until` is that birth: the two that met before had until then.
    """
    while True:
        a, b = born.get(left), born.get(right)
        time_a, time_b = a.rank if a else ALWAYS, b.rank if b else ALWAYS
        until = max(time_a, time_b)
        if until == ALWAYS:
            return False
        if a and time_a == until:
            left = a.right
        if b and time_b == until:
            right = b.left
        rank = ranks.get((left, right))
        if rank is None:
            continue
        # At the very rank at which v+v was born to the right, a lone v on the left goes first: runs
        # of v are joined from the left.  If a v+v was born on the left, its v is taken already.
        if rank < until or (rank == until and time_a < until):
            return True


def _fires_late(
    row: Merge, born: Mapping[Surface, Merge], base: frozenset[Surface], last: _LastMerge
) -> bool:
    """Return whether a merge fires though a part of it is learned later.

    It does not if a part is never learned, nor if other merges have made its token before its parts
    are there: then they are never alone where they would meet.  Else the definition is asked.
    """
    parts = row.left, row.right
    if any(part not in base and part not in born for part in parts):
        return False
    learned = max(ALWAYS if part in base else born[part].rank for part in parts)
    other = born.get(row.product)
    if other is not None and other.rank < learned:
        return False
    return last.of(row.product) == parts


def _tie(rows: Sequence[Merge]) -> str:
    """Describe two merges of one rank whose order could matter; "" without any."""
    for first, *more in _of_one_rank(rows):
        group = [first, *more]
        if len({row.product for row in group}) == 1:
            continue  # the ways to cut one token in two; at most one of them fires
        lefts, rights = {r.left for r in group}, {r.right for r in group}
        products = {r.product for r in group}
        if shared := (lefts & rights) | (products & (lefts | rights)):
            piece = min(shared, key=repr)
            return f"merges that share the piece {piece!r} share the rank {first.rank:g}"
    return ""


def _of_one_rank(rows: Sequence[Merge]) -> Iterable[list[Merge]]:
    group: list[Merge] = []
    for row in rows:
        if group and row.rank != group[0].rank:
            if len(group) > 1:
                yield group
            group = []
        group.append(row)
    if len(group) > 1:
        yield group
