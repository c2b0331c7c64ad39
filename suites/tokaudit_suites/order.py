"""Whether a list is in order but for a few items, which shows that those were exchanged."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from tokaudit_reference.spec import Family, Priority, TokenizerSpec
from tokaudit_suites.pieces import Value, entries

FEW = 0.01  # a convention counts as one when at least 99 % of the items keep it
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


def few_exceptions(values: Sequence[float]) -> list[int] | None:
    """The exceptions to an ascending order that otherwise holds; None if it does not hold."""
    if len(values) < ENOUGH:
        return None
    moved = out_of_order(values)
    return moved if len(moved) <= max(2, FEW * len(values)) else None


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


def late_parts(spec: TokenizerSpec) -> list[tuple[int, int]] | None:
    """Merges that stand before the merge that makes one of their parts.

    Pairs (index, index of the merge that comes too late); None if the list is not in an order
    that a trainer could have learned it in, as in conversions that list every split of a token.
    """
    if spec.merges is None or spec.family is not Family.BPE or len(spec.merges) < ENOUGH:
        return None
    if spec.priority is not Priority.PAIR:
        return None
    made = first_products(spec)
    if len(made) < 0.99 * len(spec.merges):
        return None
    late = [
        (index, made[part])
        for index, pair in enumerate(spec.merges)
        for part in pair
        if made.get(part, -1) > index
    ]
    return late if len(late) <= max(3, FEW * len(spec.merges)) else None


def ids_by_surface(spec: TokenizerSpec) -> dict[Value, int]:
    """The id of each entry of the model, by how the file spells it."""
    return {value: id for id, _, value in entries(spec)}
