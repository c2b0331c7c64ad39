"""Random small merge tables, and what every text up to a length says about two of them."""

from __future__ import annotations

from itertools import product
from random import Random

from tokaudit.engine.facet_names import MERGES
from tokaudit.products.compare.proofs.claim import Claim
from tokaudit.products.compare.proofs.merges import check
from tokaudit.products.compare.proofs.merges.verdict import Certificate as Found
from tokaudit.report.comparison import Certificate, Proof
from tokaudit_reference.models.bpe.merge import merge_textbook
from tokaudit_reference.spec import Component, ModelType, Piece, Standing, TokenizerSpec, TokenType

Pairs = tuple[tuple[str, str], ...]
NONE = Component(None, Standing.STATED)


def spec_of(pairs: Pairs, alphabet: str = "ab") -> TokenizerSpec:
    """A tokenizer that does nothing but merge; its vocabulary is what the merges make."""
    pieces = dict.fromkeys([*alphabet, *(left + right for left, right in pairs)])
    return TokenizerSpec(
        ModelType.BPE,
        {id: Piece(TokenType.ORDINARY, piece) for id, piece in enumerate(pieces)},
        merges=pairs,
        normalizer=NONE,
        pre_tokenizer=NONE,
    )


def random_pairs(random: Random, alphabet: str = "ab") -> Pairs:
    """Merges whose parts are letters or made by merges before them; some can never fire."""
    known, pairs = list(alphabet), dict[tuple[str, str], None]()
    for _ in range(random.randint(2, 7)):
        left, right = random.choice(known), random.choice(known)
        if len(left + right) <= 6:
            pairs[left, right] = None
            known.append(left + right)
    return tuple(pairs)


def changed(random: Random, pairs: Pairs) -> Pairs:
    """The same table with merges moved, one left out, or one made of other parts."""
    rows = list(pairs)
    if not rows:
        return pairs
    match random.randrange(5):
        case 0:
            rows.pop(random.randrange(len(rows)))
        case 1:
            at = random.randrange(len(rows))
            whole = "".join(rows[at])
            cut = random.randrange(1, len(whole))
            rows[at] = whole[:cut], whole[cut:]
        case 2:
            rows.insert(random.randrange(len(rows)), rows.pop(random.randrange(len(rows))))
        case _:
            for _ in range(random.randint(1, 3)):
                at = random.randrange(max(1, len(rows) - 1))
                rows[at : at + 2] = rows[at : at + 2][::-1]
    return tuple(dict.fromkeys(rows))


def first_difference(one: Pairs, other: Pairs, length: int, alphabet: str = "ab") -> str | None:
    """The first of all texts up to a length that the textbook merges differently; None if none."""
    number = {letter: id for id, letter in enumerate(alphabet)}
    for left, right in (*one, *other):
        number.setdefault(left + right, len(number))
        number.setdefault(left, len(number))
        number.setdefault(right, len(number))
    tables = [
        {
            (number[left], number[right]): (rank, number[left + right])
            for rank, (left, right) in enumerate(pairs)
        }
        for pairs in (one, other)
    ]
    for size in range(1, length + 1):
        for letters in product(range(len(alphabet)), repeat=size):
            a, b = (merge_textbook(letters, table) for table in tables)
            if a != b:
                return "".join(alphabet[letter] for letter in letters)
    return None


def same_form_shuffle(spec: TokenizerSpec, random: Random) -> tuple[tuple[bytes | str, ...], ...]:
    """The merges of a spec in a random order that keeps the parts first and every competition.

    It knows nothing of the prover: each merge waits for those that make its parts and, at each of
    its two pieces, for all of the latest run on the other side of that piece.
    """
    merges = [(left, right) for left, right in spec.merges or ()]
    after: list[list[int]] = [[] for _ in merges]
    waits = [0] * len(merges)
    made: dict[bytes | str, int] = {}
    runs: dict[bytes | str, list[tuple[str, list[int]]]] = {}
    for rank, (left, right) in enumerate(merges):
        sides = {left: "B"} if left == right else {left: "L", right: "R"}
        before = {made[part] for part in (left, right) if part in made}
        for piece, side in sides.items():
            seen = runs.setdefault(piece, [])
            if not seen or seen[-1][0] != side:
                seen.append((side, []))
            seen[-1][1].append(rank)
            before.update(seen[-2][1] if len(seen) > 1 else ())
        for earlier in before:
            after[earlier].append(rank)
        waits[rank] = len(before)
        made[left + right] = rank  # type: ignore[operator]
    ready, order = [rank for rank, wait in enumerate(waits) if not wait], []
    while ready:
        at = random.randrange(len(ready))
        ready[at], ready[-1] = ready[-1], ready[at]
        order.append(rank := ready.pop())
        for later in after[rank]:
            waits[later] -= 1
            if not waits[later]:
                ready.append(later)
    return tuple(merges[rank] for rank in order)


def objection_to(found: Found, first: TokenizerSpec, second: TokenizerSpec) -> str:
    """What the checker says of a proof that was found."""
    stated = Certificate(Proof.MERGES, found.digest, found.name, found.merges)
    return check.objection(Claim(MERGES, stated, first, second))
