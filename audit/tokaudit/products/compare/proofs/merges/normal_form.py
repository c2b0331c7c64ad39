"""Normal form of a merge table: only the parts of its order that have an effect.

**What matters.**  Take the merges that can fire, each part learned before what is made of it.
Merging is then a sweep through the ranks (see `firing`).  Exchange two merges next to each other in
rank, x+y and u+v.  The outcome can change only if

* one makes a part of the other; that order is fixed, since parts come first; or
* they compete for a piece: y is u, or v is x.  Then a text may hold x y v, and who comes first
  takes the y.  Else the places where they apply never overlap, and the two sweeps commute.

So order matters only between a merge that has a piece on its *left* and one that has it on its
*right*.  Two orders that agree on every such pair can be turned into each other by exchanges that
change nothing, since that is what a partially commutative monoid is (Cartier and Foata 1969;
Mazurkiewicz 1977).

**How it is written.**  At each piece, list the merges it takes part in, by rank: L where it is the
left part, R where it is the right one, B where it is both.  Runs of L, runs of R and each B are
*blocks*; inside a block order does not matter, and between blocks it does.  So a merge is a row

    left, right, number of its block at the left piece, number of its block at the right piece

and the set of rows is the form.  For  a+b, b+c, d+b  the piece b sees R L R: blocks 0, 1 and 2.
With d+b before b+c it would see R R L, so both a+b and d+b are in block 0, in whatever order.

The digest is SHA-256 over the rows, each as a line of JSON, sorted by its bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tokaudit.products.compare.proofs.merges.candidates import Merge
from tokaudit.products.compare.proofs.merges.firing import Firing
from tokaudit_reference.models.bpe.merge_table import Surface

CANONICAL = "merges-canonical-v1"
IN_ORDER = "merges-in-order-v1"
Row = tuple[Surface, Surface, int, int]


@dataclass(frozen=True, slots=True)
class NormalForm:
    """The identity of a table's behaviour; `not_canonical` says why it keeps the order.

    Equal names and digests mean that no text can tell the tables apart.  Different digests prove
    nothing; with the name `merges-in-order-v1` not even that the order matters.
    """

    name: str
    digest: str
    merges: int
    not_canonical: str = ""


def normal_form(found: Firing, taken_whole: Iterable[Surface] = ()) -> NormalForm:
    """Return the form of the merges that can fire, and of pieces from whole lookup.

    >>> def form(*pairs):
    ...     rows = (Merge(rank, x, y, x + y) for rank, (x, y) in enumerate(pairs))
    ...     return normal_form(Firing(tuple(rows)))
    >>> form(("a", "b"), ("c", "d")) == form(("c", "d"), ("a", "b"))
    True
    >>> form(("a", "b"), ("b", "c")) == form(("b", "c"), ("a", "b"))
    False
    """
    rows = in_order(found.merges) if found.disorder else blocks(found.merges)
    lines = [
        f"[{_json(left)},{_json(right)},{','.join(map(str, places))}]"
        for left, right, *places in rows
    ]
    lines += [f"[{_json(piece)}]" for piece in taken_whole]
    name = IN_ORDER if found.disorder else CANONICAL
    return NormalForm(name, _digest(lines), len(found.merges), found.disorder)


def blocks(merges: Iterable[Merge]) -> Iterator[Row]:
    """Yield each merge with the numbers of its blocks at its two parts.

    >>> rows = [("a", "b"), ("b", "c"), ("d", "b"), ("b", "b")]
    >>> list(blocks(Merge(i, a, b, a + b) for i, (a, b) in enumerate(rows)))
    [('a', 'b', 0, 0), ('b', 'c', 1, 0), ('d', 'b', 0, 2), ('b', 'b', 3, 3)]
    """
    last: dict[Surface, tuple[str, int]] = {}  # the latest block at each piece

    def block(piece: Surface, side: str) -> int:
        before, number = last.get(piece, ("", -1))
        if side != before or side == "B":
            number += 1
            last[piece] = side, number
        return number

    for _, left, right, _ in merges:
        if left == right:
            number = block(left, "B")
            yield left, right, number, number
        else:
            yield left, right, block(left, "L"), block(right, "R")


def in_order(merges: Sequence[Merge]) -> Iterator[tuple[Surface, Surface, int]]:
    """Yield each merge with the number of its rank, which is sound for every table."""
    number, before = -1, None
    for merge in merges:
        number += merge.rank != before
        before = merge.rank
        yield merge.left, merge.right, number


def _digest(lines: Iterable[str]) -> str:
    joined = "".join(f"{line}\n" for line in sorted(lines))
    return "sha256:" + hashlib.sha256(joined.encode("ascii")).hexdigest()


def _json(value: Surface) -> str:
    """Format a piece as JSON, independent of the file format."""
    if isinstance(value, bytes):
        return f'{{"bytes":"{value.hex()}"}}'
    return f'{{"text":{json.dumps(value)}}}'
