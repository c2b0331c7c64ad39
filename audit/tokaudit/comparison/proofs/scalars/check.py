"""Checks two normalizers on all 1,112,064 scalar values, each character by itself.

Which steps take each character by itself is a list of types here, read in the library's source; the
prover asks the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tokaudit.comparison.facet_names import NORMALIZER
from tokaudit.comparison.proofs.acts_alike.options import Options, plain_steps
from tokaudit.comparison.proofs.claim import Checker, Claim
from tokaudit.report.comparison import Proof
from tokaudit_reference.spec import Component
from tokaudit_reference.steps.normalizers import normalizer

BY_CHARACTER = ("Lowercase", "StripAccents", "Nmt", "ByteLevel")
MARK = "\U00012000"  # a sign of cuneiform, which no table of Unicode makes of anything else
AT_ONCE = 512
SURROGATES = range(0xD800, 0xE000)


def objection(claim: Claim) -> str:
    """Why some text may be normalized otherwise; "" if none is."""
    ours, theirs = (plain_steps(spec, "normalizer") for spec in claim.specs)
    for one, other in ((ours, theirs), _rest(ours, theirs)):
        if all(map(_by_character, (*one, *other))):
            if _alike(_function(one), _function(other)):
                return ""
            continue
    return "not every character by itself is normalized alike"


def _rest(ours: list[Options], theirs: list[Options]) -> tuple[list[Options], list[Options]]:
    """What is between the steps that both have at their beginning and at their end."""
    fewest, first, last = min(len(ours), len(theirs)), 0, 0
    while first < fewest and ours[first] == theirs[first]:
        first += 1
    while last < fewest - first and ours[-1 - last] == theirs[-1 - last]:
        last += 1
    return ours[first : len(ours) - last], theirs[first : len(theirs) - last]


def _by_character(step: Options) -> bool:
    if step.get("type") == "Replace":
        return len(step["pattern"].get("String", "")) == 1
    if step.get("type") == "BertNormalizer":
        return not step["strip_accents"]  # marks are sorted where accents are taken off
    return step.get("type") in BY_CHARACTER


def _function(steps: Sequence[Options]) -> Callable[[str], str]:
    return normalizer(Component({"type": "Sequence", "normalizers": list(steps)}))


def _alike(one: Callable[[str], str], other: Callable[[str], str]) -> bool:
    return all(_each(one, row) == _each(other, row) for row in _rows())


def _rows() -> Iterator[list[str]]:
    for start in range(0, 0x110000, AT_ONCE):
        if start not in SURROGATES:
            yield [chr(code) for code in range(start, start + AT_ONCE)]


def _each(function: Callable[[str], str], row: list[str]) -> list[str]:
    """What becomes of each character; many in one text with a mark between them, if it stays."""
    found = function(MARK.join(row)).split(MARK)
    return found if len(found) == len(row) else [function(each) for each in row]


CHECKER = Checker(Proof.SCALARS, frozenset({NORMALIZER}), objection)
