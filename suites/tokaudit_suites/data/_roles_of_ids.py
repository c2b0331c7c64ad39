"""The purposes of ids, each in one role, and the shares of the roles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tokaudit.products.data.ids.counts.tally import Sign, Tally
from tokaudit.products.data.ids.plan import Expected

EDGES = {"begin": "beginning", "end": "end", "pad": "padding", "unknown": "unknown"}
OTHERS = {
    "reserved": "reserved",
    "special": "other special",
    "part": "bytes of characters",
    "holes": "no entry",
}
ORDINARY, OUTSIDE = "ordinary", "outside"

Roles = Mapping[str, Sequence[int]]


def ids_by_role(expected: Expected) -> Roles:
    """The ids of each role; one that begins and ends texts has a separate role.

    >>> ids_by_role(Expected(9, begin=(1,), end=(1, 2), special=(1, 2, 3)))
    {'beginning, end': [1], 'end': [2], 'other special': [3]}
    """
    words: dict[int, list[str]] = {}
    for name, word in EDGES.items():
        for id in getattr(expected, name):
            words.setdefault(id, []).append(word)
    for name, word in OTHERS.items():
        for id in getattr(expected, name):
            words.setdefault(id, [word])
    found: dict[str, list[int]] = {}
    for id, several in words.items():
        found.setdefault(", ".join(several), []).append(id)
    return found


def shares_of_roles(tally: Tally, roles: Roles) -> dict[str, float]:
    """The share of each role that occurs, the ordinary ids first; they add up to one."""
    if not tally.ids:
        return {}
    counts = {role: sum(tally.counts.get(id, 0) for id in ids) for role, ids in roles.items()}
    counts[OUTSIDE] = tally.count(Sign.OUTSIDE)
    ordinary = sum(tally.counts.values()) + counts[OUTSIDE] - sum(counts.values())
    return {
        role: count / tally.ids for role, count in {ORDINARY: ordinary, **counts}.items() if count
    }
