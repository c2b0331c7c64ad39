"""Rechecks a proof that two BPE models are equal, in another way than it was found.

The prover hashes a normal form.  Here the two tables are laid side by side and three things are
looked at, each as the textbook says it:

1. both sides keep the same merges, where those that cannot fire on their own token's text by the
   reference's textbook merging are left out;
2. on both sides every part is made before what is made of it, so that merging is a sweep;
3. whenever one merge has a piece on its right and another has it on its left, both sides rank the
   two in the same order.

That the symbols are spelled alike, and that nothing else makes symbols, is asked of `spelling` and
`precondition`, which the prover asks too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tokaudit.comparison.proofs.merges.candidates import Merge, atoms, candidates, is_scored
from tokaudit.comparison.proofs.merges.precondition import obstacle
from tokaudit.comparison.proofs.merges.spelling import spelling
from tokaudit.comparison.proofs.merges.verdict import Certificate
from tokaudit_reference.models.bpe.merge import merge_fast, merge_textbook
from tokaudit_reference.models.bpe.merge_table import Surface
from tokaudit_reference.spec import TokenizerSpec

LONG = 500  # symbols from which the textbook would take too long
Pair = tuple[Surface, Surface]


def recheck(certificate: Certificate, first: TokenizerSpec, second: TokenizerSpec) -> str:
    """Why the proof does not hold for these two specs; "" if it does.

    Of the certificate only `not_canonical` is looked at: the tables themselves are compared.
    """
    rows = candidates(first), candidates(second)
    for spec, own in zip((first, second), rows, strict=True):
        if why := obstacle(spec, own):
            return why
    if spelling(first) != spelling(second):
        return "the two spell text differently"
    looked_up = first.ignore_merges or second.ignore_merges
    if not (looked_up or certificate.not_canonical or _unlike(*rows)):
        return ""  # equal even with the merges that never fire
    a, b = _firing(rows[0], first), _firing(rows[1], second)
    if _whole(first, a) != _whole(second, b):
        return "the two do not take the same pieces whole"
    if certificate.not_canonical:
        return "" if _ranked(a) == _ranked(b) else "the merges do not come in the same order"
    return _unlike(a, b)


def _unlike(a: Sequence[Merge], b: Sequence[Merge]) -> str:
    """Why these merges are not shown to act alike; "" if they are."""
    if {_pair(row) for row in a} != {_pair(row) for row in b}:
        return "the two do not keep the same merges"
    return _late(a, b) or _order(a, b)


def _pair(row: Merge) -> Pair:
    return row.left, row.right


def _firing(rows: Sequence[Merge], spec: TokenizerSpec) -> tuple[Merge, ...]:
    """The merges that fire on the text of their own token.

    With the merges towards that token taken away, merging its text stops just before it: two parts
    are left, and the merge of those two is the one that fires.
    """
    number: dict[Surface, int] = {}
    for row in rows:
        for piece in (row.left, row.right, row.product):
            number.setdefault(piece, len(number))
    table = {(number[r.left], number[r.right]): (r.rank, number[r.product]) for r in rows}
    toward: dict[Surface, list[Merge]] = {}
    for row in rows:
        toward.setdefault(row.product, []).append(row)
    kept = set()
    for product, ways in toward.items():
        taken = {key: table.pop(key) for r in ways if (key := (number[r.left], number[r.right]))}
        symbols = [number.get(atom, -1) for atom in atoms(product, spec.end_of_word_suffix)]
        way = merge_textbook if len(symbols) <= LONG else merge_fast
        left = tuple(way(symbols, table))
        table |= taken
        kept |= {_pair(r) for r in ways if (number[r.left], number[r.right]) == left}
    return tuple(row for row in rows if _pair(row) in kept)


def _whole(spec: TokenizerSpec, kept: Sequence[Merge]) -> set[Surface]:
    """The pieces that a whole lookup gives and merging does not."""
    if not spec.ignore_merges or is_scored(spec):
        return set()
    made = {row.product for row in kept}
    return {piece for piece in spec.ids_by_surface if len(atoms(piece)) != 1} - made


def _ranked(rows: Sequence[Merge]) -> list[set[Pair]]:
    """The merges rank by rank."""
    groups: dict[float, set[Pair]] = {}
    for row in rows:
        groups.setdefault(row.rank, set()).add(_pair(row))
    return [groups[rank] for rank in sorted(groups)]


def _late(*sides: Sequence[Merge]) -> str:
    """A merge of either side that does not come after every merge that makes a part of it."""
    for rows in sides:
        made: dict[Surface, float] = {}
        for row in rows:
            made[row.product] = max(row.rank, made.get(row.product, row.rank))
        for row in rows:
            if any(part in made and made[part] >= row.rank for part in (row.left, row.right)):
                return f"{row.left!r} + {row.right!r} comes before a part of it is made"
    return ""


def _order(a: Iterable[Merge], b: Iterable[Merge]) -> str:
    """A piece at which two competing merges are not ranked in the same order by both sides."""
    there = {_pair(row): row.rank for row in b}
    as_left: dict[Surface, tuple[float, float]] = {}  # the highest ranks so far, on both sides
    as_right: dict[Surface, tuple[float, float]] = {}
    for row in a:
        here = row.rank, there[_pair(row)]
        for piece, other in ((row.left, as_right), (row.right, as_left)):
            if piece in other and any(x >= y for x, y in zip(other[piece], here, strict=True)):
                return f"merges at {piece!r} do not come in the same order"
        for piece, own in ((row.left, as_left), (row.right, as_right)):
            before = own.get(piece, here)
            own[piece] = max(before[0], here[0]), max(before[1], here[1])
    return ""
