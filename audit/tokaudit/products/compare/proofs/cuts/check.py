"""Check that no text is split differently, by following both sides over all texts.

Reader, markings and classes of characters are the checker's own; the engine says what a class of a
pattern matches, which is spelled once more where it is plain, and cuts short texts to confirm each
marking.  A walk over pairs of states then asks for a text that both may end and whose marks have
differed.
"""

from __future__ import annotations

from time import monotonic
from typing import Any

from tokaudit.engine.facet_names import PRE_TOKENIZER
from tokaudit.products.compare.proofs.claim import Checker, Claim
from tokaudit.products.compare.proofs.cuts.characters import OtherCharacters
from tokaudit.products.compare.proofs.cuts.cutting import Cutters, cutters
from tokaudit.products.compare.proofs.cuts.expression import Unreadable
from tokaudit.report.comparison import Proof

MOST_STATES = 400_000
TIME = 60.0  # seconds
Both = tuple[Any, Any, bool]


def objection(claim: Claim) -> str:
    """Explain why some text may be split differently; "" if none is."""
    try:
        found = cutters(claim.first, claim.second)
    except OtherCharacters as wrong:
        return str(wrong)
    stated = {found.of(each) for each in claim.certificate.classes if len(each) == 1}
    if stated != {*range(len(found.characters))}:
        return "the classes of characters are not those of the patterns"
    differing = _differing(found)
    return "" if differing is None else f"{differing!r} is cut differently"


def _differing(both: Cutters) -> str | None:
    """Return a shortest text of representative characters whose marks differ."""
    start: Both = both.left.start, both.right.start, False
    came: dict[Both, tuple[Both, int] | None] = {start: None}
    waiting, until = [start], monotonic() + TIME
    for state in waiting:  # which grows while it is walked
        one, other, differed = state
        if differed and both.left.may_end(one) and both.right.may_end(other):
            return _text(both, came, state)
        for name in range(len(both.characters)):
            for mark, after in both.left.moves(one, name):
                for its, its_after in both.right.moves(other, name):
                    new = after, its_after, differed or mark != its
                    if new not in came:
                        came[new] = state, name
                        waiting.append(new)
        if len(came) > MOST_STATES or monotonic() > until:
            raise Unreadable(f"more than {len(came):,} states")
    return None


def _text(both: Cutters, came: dict[Both, tuple[Both, int] | None], state: Both) -> str:
    characters = []
    while step := came[state]:
        state, name = step
        characters.append(both.characters[name])
    return "".join(reversed(characters))


CHECKER = Checker(Proof.CUTS, frozenset({PRE_TOKENIZER}), objection)
