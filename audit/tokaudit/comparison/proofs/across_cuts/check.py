"""Checks again that no entry of a vocabulary lies across a cut that only one side makes.

The search keeps sets of states for many entries at once.  Here each entry is laid, by itself, over
every place of every text: from each state of both machines at once all its characters are read, and
it must never come whole through one side and cut through the other.  Entries whose characters fall
into the same classes are the same entry here, so that there are few of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tokaudit.comparison.patterns.classes import common
from tokaudit.comparison.patterns.machine import Machine, Mark
from tokaudit.comparison.patterns.replay import cover, marked, spans
from tokaudit.comparison.patterns.splits import PreTokenizer, machine
from tokaudit.comparison.patterns.verdicts import Undecidable
from tokaudit.comparison.proofs.across_cuts.entries import Pair, Place, Reader
from tokaudit.comparison.proofs.cuts.check import one_way_for_every_text

Both = tuple[int, int]


def objection_to_same_tokens(
    left: PreTokenizer, right: PreTokenizer, entries: Iterable[str | bytes]
) -> str | None:
    r"""Why an entry may lie across a cut of one side only, or None if none does.

    >>> from tokaudit.comparison.patterns.splits import Split
    >>> one, other = (Split(r"\s+|\S+"),), (Split(r"\s|\S+"),)
    >>> objection_to_same_tokens(one, other, ["a", " ", "ab"])
    >>> objection_to_same_tokens(one, other, ["a", "  "])
    "'  ' lies across a cut that only one side makes"
    """
    try:
        (classes, one), (others, other) = machine(left), machine(right)
        for splits, known, built in ((left, classes, one), (right, others, other)):
            if not one_way_for_every_text(built):
                return "a machine has not exactly one way for every text"
            for text, marks in cover(known, built):
                if spans(splits, text) != marked(marks):
                    return f"the engine does not cut {text!r} as the machine says"
        moves = _moves(one, other, list(common(classes, others)))
        reader = Reader(classes, others)
        return _crossing(moves, {reader.row(entry): entry for entry in entries})
    except Undecidable as unknown:
        return str(unknown)


Moves = dict[Both, dict[Pair, list[tuple[Mark, Mark, Both]]]]


def _moves(left: Machine[Mark], right: Machine[Mark], classes: list[Pair]) -> Moves:
    """What both machines may do in each pair of states that lies on a way to an end."""
    found: Moves = {}
    waiting: list[Both] = [(0, 0)]
    while waiting:
        at = waiting.pop()
        if at not in found:
            found[at] = {
                (ours, theirs): [
                    (mark, its, (mine, yours))
                    for mark, mine in left.moves[at[0]][ours]
                    for its, yours in right.moves[at[1]][theirs]
                ]
                for ours, theirs in classes
            }
            waiting += _after(found[at])
    useful = {at for at in found if at[0] in left.ends and at[1] in right.ends}
    while grown := {at for at in found.keys() - useful if not useful.isdisjoint(_after(found[at]))}:
        useful |= grown
    return {
        at: {pair: [m for m in moves if m[2] in useful] for pair, moves in found[at].items()}
        for at in useful
    }


def _after(moves: dict[Pair, list[tuple[Mark, Mark, Both]]]) -> Iterator[Both]:
    return (after for listed in moves.values() for _, _, after in listed)


def _crossing(moves: Moves, rows: dict[tuple[Place, ...], str | bytes]) -> str | None:
    for by_pair in moves.values():
        for listed in by_pair.values():
            if any((mine is Mark.GONE) != (its is Mark.GONE) for mine, its, _ in listed):
                return "one side leaves out a character that the other keeps"
    for row, entry in rows.items():
        inside = {(at, False, False) for at in moves} if row else set()
        for i, place in enumerate(row):
            inside = {
                (after, cut or _cuts(mine, i), other or _cuts(its, i))
                for at, cut, other in inside
                for pair in place
                for mine, its, after in moves[at][pair]
            }
        if any(cut != other for _, cut, other in inside):
            return f"{entry!r} lies across a cut that only one side makes"
    return None


def _cuts(mark: Mark, index: int) -> bool:
    return mark is Mark.GONE or (mark is Mark.CUT and index > 0)
