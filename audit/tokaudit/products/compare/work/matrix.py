"""Relations of more than two tokenizers to each other, and groups of equal ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tokaudit.report.comparison import Comparison, Relation

Matrix = tuple[tuple[Relation, ...], ...]


def matrix(
    count: int, found: Sequence[Comparison], relation: Callable[[int, int], Relation]
) -> Matrix:
    """Return the relation of each pair; `found` are those with the first.

    What is the same as another is to all others what that one is, as *same* is proved.  So only
    one of each group is compared.
    """
    known = {(0, at): each.relation for at, each in enumerate(found, start=1)}
    like = [0]  # for each the first that is the same
    for at in range(1, count):
        for one in dict.fromkeys(like):
            if (one, at) not in known:
                known[one, at] = relation(one, at)
            if known[one, at] is Relation.SAME:
                like.append(one)
                break
        else:
            like.append(at)
    pairs = [[tuple(sorted((like[a], like[b]))) for b in range(count)] for a in range(count)]
    return tuple(
        tuple(Relation.SAME if one == other else known[one, other] for one, other in row)
        for row in pairs
    )


def groups_of(names: Sequence[str], relations: Matrix) -> tuple[tuple[str, ...], ...]:
    """Group the tokenizers that are the same.

    >>> same, other = Relation.SAME, Relation.REMAPPED
    >>> groups_of("abc", ((same, other, same), (other, same, other), (same, other, same)))
    (('a', 'c'), ('b',))
    """
    rows = dict.fromkeys(
        tuple(name for name, each in zip(names, row, strict=True) if each is Relation.SAME)
        for row in relations
    )
    return tuple(rows)
