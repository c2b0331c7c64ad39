"""Check a proof that two BPE models merge alike, by another method.

The prover hashes a normal form.  Here the two tables are compared directly, and three things are
looked at, each as the textbook says it:

1. both sides keep the same merges, where those that cannot fire on their own token's text by the
   textbook's merging are left out;
2. on both sides every part is made before what is made of it, so that merging is a sweep;
3. whenever one merge has a piece on its right and another has it on its left, both sides rank the
   two in the same order.

What has to hold besides (`symbols`) is asked in this checker's own words.  Last, the digest is that
of the form of the first table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from json import dumps
from typing import NamedTuple

from tokaudit.engine.facet_names import MERGES
from tokaudit.products.compare.proofs.all_entries import entries_of, pieces_of
from tokaudit.products.compare.proofs.claim import Checker, Claim
from tokaudit.products.compare.proofs.equal.check import MODEL
from tokaudit.products.compare.proofs.merges.merging import merged
from tokaudit.products.compare.proofs.merges.symbols import (
    Surface,
    obstacle,
    scored,
    spelled,
    symbols,
)
from tokaudit.products.compare.proofs.surface import surface
from tokaudit.report.comparison import Proof
from tokaudit_reference.spec import Priority, TokenizerSpec, TokenType

IN_ORDER = "merges-in-order-v1"
Pair = tuple[Surface, Surface]


class RankedPair(NamedTuple):
    """Two neighbours, and the rank of their merge."""

    rank: float
    left: Surface
    right: Surface

    @property
    def pair(self) -> Pair:
        """Return both neighbours."""
        return self.left, self.right

    @property
    def product(self) -> Surface:
        """Return the product of the merge."""
        return self.left + self.right  # type: ignore[operator]


def objection(claim: Claim) -> str:
    """Explain why the proof does not hold for these specs; "" if it does."""
    stated = claim.certificate
    in_order = stated.form == IN_ORDER
    kept = firing(claim.first)
    digest = digest_of(kept, sorted(whole(claim.first, kept), key=repr), in_order)
    if (digest, len(kept)) != (stated.digest, stated.merges):
        return "the form is not that of the first side"
    return unlike(claim.first, claim.second, in_order=in_order)


def not_identical(claim: Claim) -> str:
    """Explain why the models are not written alike; "" if they are."""
    same = all(getattr(claim.first, name) == getattr(claim.second, name) for name in MODEL)
    return "" if same else "the two are not written alike"


def unlike(first: TokenizerSpec, second: TokenizerSpec, *, in_order: bool = False) -> str:
    """Explain why two models are not shown to merge alike; "" if they are."""
    for spec in (first, second):
        if why := obstacle(spec, [row.pair for row in listed(spec)]):
            return why
    if spelled(first) != spelled(second):
        return "the two spell text differently"
    a, b = firing(first), firing(second)
    if whole(first, a) != whole(second, b):
        return "the two do not take the same pieces whole"
    if in_order:
        return "" if _ranked(a) == _ranked(b) else "the merges do not come in the same order"
    if {row.pair for row in a} != {row.pair for row in b}:
        return "the two do not keep the same merges"
    return _late(a, b) or _order(a, b)


def listed(spec: TokenizerSpec) -> list[RankedPair]:
    """Return the stated merges of a spec, the best rank first."""
    rows = _of_tokens(spec) if spec.priority is Priority.PRODUCT else _of_pairs(spec)
    return sorted(rows, key=lambda row: row.rank)


def _of_pairs(spec: TokenizerSpec) -> Iterator[RankedPair]:
    known = {surface(spec, piece) for piece in pieces_of(spec)}
    last = {pair: rank for rank, pair in enumerate(spec.merges or ())}
    for (left, right), rank in last.items():
        if type(left) is type(right) and {left, right, left + right} <= known:  # type: ignore[operator]
            yield RankedPair(rank, left, right)


def _of_tokens(spec: TokenizerSpec) -> Iterator[RankedPair]:
    """Yield each split of a token into two ranked parts; SentencePiece allows unranked ones."""
    never = {TokenType.CONTROL, TokenType.UNKNOWN, TokenType.BYTE, TokenType.LOOKED_UP}
    never |= set() if scored(spec) else {TokenType.UNUSED}
    ranks = {
        surface(spec, piece): spec.product_ranks[id]
        for id, piece in entries_of(spec)
        if id in spec.product_ranks and piece.token_type not in never
    }
    longest = max(map(len, ranks), default=0)
    for token, rank in ranks.items():
        for at in range(max(1, len(token) - longest), min(len(token), longest + 1)):
            parts = token[:at], token[at:]
            if all(part in ranks or (scored(spec) and len(part) == 1) for part in parts):
                yield RankedPair(rank, *parts)


def firing(spec: TokenizerSpec) -> list[RankedPair]:
    """Return the merges that fire on the text of their own token.

    With the merges towards that token taken away, merging its text stops just before it: two parts
    are left, and the merge of those two is the one that fires.
    """
    rows = listed(spec)
    number: dict[Surface, int] = {}
    for row in rows:
        for piece in (*row.pair, row.product):
            number.setdefault(piece, len(number))
    table = {(number[r.left], number[r.right]): (r.rank, number[r.product]) for r in rows}
    toward: dict[Surface, list[RankedPair]] = {}
    for row in rows:
        toward.setdefault(row.product, []).append(row)
    kept = set()
    for product, ways in toward.items():
        taken = {key: table.pop(key) for r in ways if (key := (number[r.left], number[r.right]))}
        spelling = [number.get(each, -1) for each in symbols(product, spec.end_of_word_suffix)]
        left = tuple(merged(spelling, table))
        table |= taken
        kept |= {r.pair for r in ways if (number[r.left], number[r.right]) == left}
    return [row for row in rows if row.pair in kept]


def whole(spec: TokenizerSpec, kept: Sequence[RankedPair]) -> set[Surface]:
    """Return the pieces found by lookup of the whole but not by merging."""
    if not spec.ignore_merges or scored(spec):
        return set()
    pieces = {surface(spec, piece) for piece in pieces_of(spec)}
    return {piece for piece in pieces if len(piece) != 1} - {row.product for row in kept}


def _ranked(rows: Sequence[RankedPair]) -> list[set[Pair]]:
    """Group the merges by rank."""
    groups: dict[float, set[Pair]] = {}
    for row in rows:
        groups.setdefault(row.rank, set()).add(row.pair)
    return [groups[rank] for rank in sorted(groups)]


def _late(*sides: Sequence[RankedPair]) -> str:
    """Return a merge that does not come after every merge that builds a part of it."""
    for rows in sides:
        made: dict[Surface, float] = {}
        for row in rows:
            made[row.product] = max(row.rank, made.get(row.product, row.rank))
        for row in rows:
            if any(part in made and made[part] >= row.rank for part in row.pair):
                return f"{row.left!r} + {row.right!r} comes before a part of it is made"
    return ""


def _order(a: Iterable[RankedPair], b: Iterable[RankedPair]) -> str:
    """Return a piece at which the two sides rank competing merges in another order."""
    there = {row.pair: row.rank for row in b}
    as_left: dict[Surface, tuple[float, float]] = {}  # the highest ranks so far, on both sides
    as_right: dict[Surface, tuple[float, float]] = {}
    for row in a:
        here = row.rank, there[row.pair]
        for piece, other in ((row.left, as_right), (row.right, as_left)):
            if piece in other and any(x >= y for x, y in zip(other[piece], here, strict=True)):
                return f"merges at {piece!r} do not come in the same order"
        for piece, own in ((row.left, as_left), (row.right, as_right)):
            before = own.get(piece, here)
            own[piece] = max(before[0], here[0]), max(before[1], here[1])
    return ""


def digest_of(rows: Sequence[RankedPair], taken_whole: Iterable[Surface], in_order: bool) -> str:
    """Return the digest of the normal form: rows with block numbers, or with ranks."""
    places = _numbers_of_ranks(rows) if in_order else _numbers_of_blocks(rows)
    lines = [
        f"[{_json(row.left)},{_json(row.right)},{','.join(map(str, each))}]"
        for row, each in zip(rows, places, strict=True)
    ]
    lines += [f"[{_json(piece)}]" for piece in taken_whole]
    text = "".join(f"{line}\n" for line in sorted(lines))
    return "sha256:" + sha256(text.encode("ascii")).hexdigest()


def _numbers_of_ranks(rows: Sequence[RankedPair]) -> list[tuple[int, ...]]:
    number = {rank: at for at, rank in enumerate(sorted({row.rank for row in rows}))}
    return [(number[row.rank],) for row in rows]


def _numbers_of_blocks(rows: Sequence[RankedPair]) -> list[tuple[int, ...]]:
    """Return each merge's number of side changes, at its left piece and its right one."""
    history: dict[Surface, list[str]] = {}
    found: list[tuple[int, ...]] = []
    for row in rows:
        sides = {row.left: "B"} if row.left == row.right else {row.left: "L", row.right: "R"}
        for piece, side in sides.items():
            changes = history.setdefault(piece, [])
            if not changes or side == "B" or changes[-1] != side:
                changes.append(side)
        found.append((len(history[row.left]) - 1, len(history[row.right]) - 1))
    return found


def _json(value: Surface) -> str:
    key, text = ("bytes", value.hex()) if isinstance(value, bytes) else ("text", value)
    return dumps({key: text}, separators=(",", ":"))


CHECKER = Checker(Proof.MERGES, frozenset({MERGES}), objection, not_identical)
