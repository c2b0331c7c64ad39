"""Check two normalizers on all 1,112,064 scalar values, one by one.

Which steps take each character by itself, and what they make of it, is written in `characters` from
the library's source; the prover asks the steps of the reference, and runs them.
"""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.facet_names import NORMALIZER
from tokaudit.products.compare.proofs.acts_alike.options import plain_steps
from tokaudit.products.compare.proofs.claim import Checker, Claim
from tokaudit.products.compare.proofs.scalars.characters import (
    Function,
    by_character,
    one_after_another,
)
from tokaudit.products.compare.proofs.steps_of_files import Options
from tokaudit.report.comparison import Proof

MARK = "\U00012000"  # a sign of cuneiform, which no table of Unicode makes of anything else
AT_ONCE = 512
SURROGATES = range(0xD800, 0xE000)


def objection(claim: Claim) -> str:
    """Explain why some text may be normalized differently; "" if none is."""
    ours, theirs = (plain_steps(spec, "normalizer") for spec in claim.specs)
    for one, other in ((ours, theirs), _rest(ours, theirs)):
        if _alike(_known(one), _known(other)):
            return ""
    return "not every character by itself is normalized alike"


def _rest(ours: list[Options], theirs: list[Options]) -> tuple[list[Options], list[Options]]:
    """Return the steps between the common beginning and the common end."""
    fewest, first, last = min(len(ours), len(theirs)), 0, 0
    while first < fewest and ours[first] == theirs[first]:
        first += 1
    while last < fewest - first and ours[-1 - last] == theirs[-1 - last]:
        last += 1
    return ours[first : len(ours) - last], theirs[first : len(theirs) - last]


def _known(steps: list[Options]) -> Function | None:
    """Return the steps' function on characters; None if one is not character-wise."""
    functions = [by_character(step) for step in steps]
    known = [function for function in functions if function is not None]
    return one_after_another(known) if len(known) == len(steps) else None


def _alike(one: Function | None, other: Function | None) -> bool:
    if one is None or other is None:
        return False
    return all(_each(one, row) == _each(other, row) for row in _rows())


def _rows() -> Iterator[list[str]]:
    for start in range(0, 0x110000, AT_ONCE):
        if start not in SURROGATES:
            yield [chr(code) for code in range(start, start + AT_ONCE)]


def _each(function: Function, row: list[str]) -> list[str]:
    """Apply a function to each character, many in one text with a separator if it survives."""
    found = function(MARK.join(row)).split(MARK)
    return found if len(found) == len(row) else [function(each) for each in row]


CHECKER = Checker(Proof.SCALARS, frozenset({NORMALIZER}), objection)
