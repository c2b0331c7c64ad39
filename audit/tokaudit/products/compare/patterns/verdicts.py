"""Results of the prover: proved, different with a text, or undecided with a reason.

All are plain data, so a report can hold them and a checker can check them again.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Proved:
    """No text distinguishes the two; `states` is the set that a checker verifies.

    Each is a state of the left machine, one of the right, and whether their marks have differed.
    """

    classes: tuple[str, ...]  # a representative of each class of characters
    states: tuple[tuple[int, int, bool], ...]


@dataclass(frozen=True, slots=True)
class Differs:
    """The shortest text that is split differently, and its pieces on either side.

    Where characters are left out, pieces that read alike may lie at different places.
    """

    text: str
    left: tuple[str, ...]
    right: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotDecided:
    """Neither a proof nor a shortest text: the reason names the construct or the limit.

    `texts` are drawn from both sides, those first that the engine cuts differently.
    """

    reason: str
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SameTokens:
    """Splits differ, but no entry of the vocabulary crosses a split of one side alone."""

    entries: int  # how many were looked at
    states: int  # of both machines together


@dataclass(frozen=True, slots=True)
class OtherTokens:
    """A text on which the ids differ, and the entry that one side's split breaks."""

    text: str
    entry: str | bytes


Verdict = Proved | Differs | NotDecided


class Undecidable(Exception):
    """Raised inside the prover instead of guessing."""
