"""Check a verdict of the search against the prover's own machines.

It reads what a certificate stores.  With the prover's machines it refutes, and never confirms.

For a proof: the listed states must hold the start, be closed under every move of both machines, and
none of them may be an end whose marks have differed.  Each machine must give every text exactly one
way to an end, or the proof would say nothing about some texts; and the engine must cut as each
machine says, on a text for each of its moves.  For a text: the engine cuts it, on both sides.
"""

from __future__ import annotations

from tokaudit.products.compare.patterns.classes import common
from tokaudit.products.compare.patterns.machine import Machine, Mark
from tokaudit.products.compare.patterns.replay import cover, marked, pieces, spans
from tokaudit.products.compare.patterns.splits import PreTokenizer, machine
from tokaudit.products.compare.patterns.verdicts import Differs, Proved, Undecidable, Verdict


def objection_to(left: PreTokenizer, right: PreTokenizer, verdict: Verdict) -> str | None:
    """Return the error of a verdict, or None if it is right.

    >>> from tokaudit.products.compare.patterns.splits import Split
    >>> objection_to((Split("a"),), (Split("a+"),), Differs("b", ("b",), ("b",)))
    'both sides cut the text alike'
    >>> objection_to((Split("a"),), (Split("a+"),), Proved(("a", " "), ((0, 0, False),)))
    'the classes of characters are not those of the patterns'
    """
    try:
        if isinstance(verdict, Differs):
            return _objection_to_a_text(left, right, verdict)
        if isinstance(verdict, Proved):
            return _objection_to_a_proof(left, right, verdict)
    except Undecidable as unknown:
        return str(unknown)
    return None


def _objection_to_a_text(left: PreTokenizer, right: PreTokenizer, stated: Differs) -> str | None:
    if pieces(left, stated.text) != stated.left or pieces(right, stated.text) != stated.right:
        return "the engine does not cut the text as it is stated"
    if spans(left, stated.text) == spans(right, stated.text):
        return "both sides cut the text alike"
    return None


def _objection_to_a_proof(left: PreTokenizer, right: PreTokenizer, proof: Proved) -> str | None:
    (classes, one), (others, other) = machine(left), machine(right)
    shared = common(classes, others)
    if tuple(shared.values()) != proof.classes:
        return "the classes of characters are not those of the patterns"
    for splits, known, built in ((left, classes, one), (right, others, other)):
        if not one_way_for_every_text(built):
            return "a machine has not exactly one way for every text"
        for text, marks in cover(known, built):
            if spans(splits, text) != marked(marks):
                return f"the engine does not cut {text!r} as the machine says"
    return open_state(one, other, list(shared), proof)


def open_state(
    left: Machine[Mark], right: Machine[Mark], classes: list[tuple[int, int]], proof: Proved
) -> str | None:
    """Return a listed state with a move out of the list, or that is a differing end."""
    listed = set(proof.states)
    if (0, 0, False) not in listed:
        return "the start is not among the states"
    for one, other, differed in proof.states:
        if not (0 <= one < len(left.moves) and 0 <= other < len(right.moves)):
            return "a state that the machines do not have"
        if differed and one in left.ends and other in right.ends:
            return f"the marks differ at the end {one}, {other}"
        after = {
            (mine, yours, differed or mark is not its)
            for ours, theirs in classes
            for mark, mine in left.moves[one][ours]
            for its, yours in right.moves[other][theirs]
        }
        if not after <= listed:
            return f"a move from {one}, {other} leads out of the listed states"
    return None


def one_way_for_every_text(built: Machine[Mark]) -> bool:
    """Return whether every text leads to an end in exactly one way.

    The ways of a text are followed together: no two may meet in a state, as the rest of the text
    would have both, and of the states that they are in at any time exactly one is an end.
    """
    start = frozenset({0})
    seen, waiting = {start}, [start]
    while waiting:
        states = waiting.pop()
        if len(states & built.ends) != 1:
            return False
        for name in range(len(built.moves[0])):
            after = [new for state in states for _, new in built.moves[state][name]]
            if len(set(after)) < len(after):
                return False
            if frozenset(after) not in seen:
                seen.add(frozenset(after))
                waiting.append(frozenset(after))
    return True
