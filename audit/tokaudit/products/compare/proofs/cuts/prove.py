"""Walk two machines side by side over all texts at once, shortest first.

A state of the walk is a state of either machine and whether their marks have differed so far.  If
both may end, and their marks have differed, the way there is a text that is cut differently, and no
shorter one is.  If no such state is ever met, there is no such text, and the states that were met
are the proof.
"""

from __future__ import annotations

from collections import deque
from time import monotonic

from tokaudit.products.compare.patterns.classes import common
from tokaudit.products.compare.patterns.drawn import drawn_texts
from tokaudit.products.compare.patterns.machine import Machine, Mark
from tokaudit.products.compare.patterns.replay import pieces, spans, trusted
from tokaudit.products.compare.patterns.splits import PreTokenizer
from tokaudit.products.compare.patterns.verdicts import (
    Differs,
    NotDecided,
    Proved,
    Undecidable,
    Verdict,
)

MOST_STATES = 400_000
TIME = 60.0  # seconds
Both = tuple[int, int, bool]
Classes = dict[tuple[int, int], str]


def compare(left: PreTokenizer, right: PreTokenizer, most_states: int = MOST_STATES) -> Verdict:
    r"""Decide if two pre-tokenizers split every text alike, or return the shortest that differs.

    >>> from tokaudit.products.compare.patterns.splits import Split
    >>> compare((Split(r"\d{1,3}"),), (Split(r"\d"),))
    Differs(text='00', left=('00',), right=('0', '0'))
    >>> type(compare((Split("(?:a|b)+"),), (Split("[ab]+"),))).__name__
    'Proved'
    >>> compare((Split(r"(a)\1"),), (Split("aa"),)).reason
    'the escape \\1'
    """
    try:
        classes, one = trusted(left)
        others, other = trusted(right)
        found = walk(one, other, common(classes, others), most_states)
        if isinstance(found, Proved):
            return found
        if spans(left, found) == spans(right, found):
            raise Undecidable(f"the engine cuts {found!r} alike, which the machines do not")
        return Differs(found, pieces(left, found), pieces(right, found))
    except Undecidable as unknown:
        return NotDecided(str(unknown), drawn_texts(left, right))


def walk(
    left: Machine[Mark], right: Machine[Mark], classes: Classes, most_states: int
) -> Proved | str:
    """Return the proof, or the shortest text whose marks differ."""
    start = (0, 0, False)
    came: dict[Both, tuple[Both, str] | None] = {start: None}
    waiting, until = deque([start]), monotonic() + TIME
    while waiting:
        state = waiting.popleft()
        one, other, differed = state
        if differed and one in left.ends and other in right.ends:
            return _text(came, state)
        ours, theirs = left.moves[one], right.moves[other]
        for (mine, yours), character in classes.items():
            for mark, after in ours[mine]:
                for its, its_after in theirs[yours]:
                    new = after, its_after, differed or mark is not its
                    if new not in came:
                        came[new] = state, character
                        waiting.append(new)
        if len(came) > most_states or monotonic() > until:
            raise Undecidable(f"more than {len(came):,} states of both patterns")
    return Proved(tuple(classes.values()), tuple(came))


def _text(came: dict[Both, tuple[Both, str] | None], state: Both) -> str:
    characters = []
    while step := came[state]:
        state, character = step
        characters.append(character)
    return "".join(reversed(characters))
