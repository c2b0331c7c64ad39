"""Whether a list is in order but for a few items, which shows that those were exchanged."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from tokaudit_reference.spec import Family, PieceKind, Priority, TokenizerSpec
from tokaudit_suites.pieces import Value, entries, looks_like_marker

FEW = 0.1  # a convention counts as one when nine in ten items keep it
ENOUGH = 20  # and when there are at least so many items


def out_of_order(values: Sequence[float]) -> list[int]:
    """Positions outside one longest non-decreasing run, so the least that must have moved.

    >>> out_of_order([1, 2, 9, 4, 5])
    [2]
    """
    tails: list[float] = []
    places: list[int] = []
    before: list[int] = []
    for position, value in enumerate(values):
        at = bisect_right(tails, value)
        before.append(places[at - 1] if at else -1)
        tails[at : at + 1] = [value]
        places[at : at + 1] = [position]
    kept = set()
    at = places[-1] if places else -1
    while at >= 0:
        kept.add(at)
        at = before[at]
    return [position for position in range(len(values)) if position not in kept]


def has_run(value: Value) -> bool:
    """Whether one symbol stands three times in a row.

    How such a token is made depends on how its trainer counts pairs that overlap, so a published
    table may well be without the way that leads there: Gemma 4 has four of them.

    >>> has_run("\u2581YYYY"), has_run(b"letter")
    (True, False)
    """
    return any(a == b == c for a, b, c in zip(value, value[1:], value[2:], strict=False))


def few_exceptions(values: Sequence[float]) -> list[int] | None:
    """The exceptions to an ascending order that otherwise holds; None if it does not hold."""
    if len(values) < ENOUGH:
        return None
    moved = out_of_order(values)
    return moved if len(moved) <= FEW * len(values) else None


def product(spec: TokenizerSpec, left: Value, right: Value) -> Value:
    """What a merge makes of two parts as the file spells them."""
    if isinstance(left, bytes) or isinstance(right, bytes):
        a = left if isinstance(left, bytes) else left.encode()
        b = right if isinstance(right, bytes) else right.encode()
        return a + b.removeprefix(spec.continuation_prefix.encode())
    return left + right.removeprefix(spec.continuation_prefix)


def first_products(spec: TokenizerSpec) -> dict[Value, int]:
    """Each token that a merge makes, with the index of the first merge that makes it."""
    made: dict[Value, int] = {}
    for index, (left, right) in enumerate(spec.merges or ()):
        made.setdefault(product(spec, left, right), index)
    return made


def learned_ids(spec: TokenizerSpec) -> list[int]:
    """The ids of the tokens that merges make, in the order of the merges.

    Runs of one character are left out: trainers that take no white space into their pieces have
    them added afterwards, with ids of the beginning and ranks of the end.
    """
    if spec.family is not Family.BPE:
        return []
    ids = ids_by_surface(spec)
    return [ids[made] for made in first_products(spec) if made in ids and len(set(made)) > 1]


def is_record(spec: TokenizerSpec) -> bool:
    """Whether the merges are a trainer's record, one for each token, and long enough to judge.

    Conversions that list every way to split a token are none, and keep no order of learning.
    """
    if spec.merges is None or spec.family is not Family.BPE or spec.priority is not Priority.PAIR:
        return False
    return ENOUGH <= len(spec.merges) <= len(first_products(spec)) / 0.99


def late_parts(spec: TokenizerSpec) -> list[tuple[int, int]]:
    """Merges that stand before the merge that makes one of their parts.

    Pairs (index, index of the merge that comes too late); empty unless the list is a record.
    """
    if not is_record(spec):
        return []
    made = first_products(spec)
    return [
        (index, made[part])
        for index, pair in enumerate(spec.merges or ())
        for part in pair
        if made.get(part, -1) > index
    ]


def moved_merges(spec: TokenizerSpec) -> list[int]:
    """Ids out of the order of the merges although the file lists its entries in order of id.

    Whoever exchanges ids in a file leaves its entries in the old order; where they are in order,
    the merges were exchanged.  Empty where the entries are in no order that could tell.
    """
    if out_of_order(list(spec.pieces)):
        return []
    moved = few_exceptions(learned_ids(spec)) if spec.merges is not None else None
    learned = learned_ids(spec)
    return [learned[position] for position in moved or ()]


def ids_by_surface(spec: TokenizerSpec) -> dict[Value, int]:
    """The id of each entry of the model, by how the file spells it.

    Where an added token is laid over a second entry for the same bytes, the learned one counts.
    """
    added = {token.id for token in spec.added_tokens}
    found: dict[Value, int] = {}
    for id, _, value in entries(spec):
        if id not in added or value not in found:
            found[value] = id
    return found


def missing_merges(spec: TokenizerSpec) -> dict[int, Value]:
    """Tokens amid the learned ones that no merge makes, where nearly every other one has one.

    Ids follow the order of the merges, so a token between two learned ones was learned too: its
    merge was deleted.  Empty where the vocabulary does not keep that order.
    """
    learned = learned_ids(spec)
    if few_exceptions(learned) is None:
        return {}
    first, last = min(learned), max(learned)
    orphans = {id: value for id, value in _orphans(spec).items() if first < id < last}
    return orphans if len(orphans) <= FEW * len(learned) else {}


def cut_off(spec: TokenizerSpec) -> dict[int, Value]:
    """Tokens behind the last learned one that no merge makes, if they are many.

    A few such tokens are control tokens that the loader adds; a long tail was learned.
    """
    learned = learned_ids(spec)
    if few_exceptions(learned) is None or not is_record(spec):
        return {}
    tail = {id: value for id, value in _orphans(spec).items() if id > max(learned)}
    return tail if len(tail) >= ENOUGH else {}


def _orphans(spec: TokenizerSpec) -> dict[int, Value]:
    """Ordinary entries of several symbols that no merge makes, written otherwise than markers.

    Those are put there by hand, some vocabularies have hundreds of them amid the learned ones.
    """
    made, added = first_products(spec), {token.id for token in spec.added_tokens}
    return {
        id: value
        for value, id in ids_by_surface(spec).items()
        if id not in added
        and value not in made
        and not looks_like_marker(value)
        and spec.pieces[id].kind in (PieceKind.ORDINARY, PieceKind.WORD_END)
        and len(spec.pieces[id].value) > 1
    }
