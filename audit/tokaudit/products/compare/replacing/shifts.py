"""Documents whose token count changes most with the tokenizer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from tokaudit.engine.evidence import TokenRow, two_rows
from tokaudit.products.compare.replacing.counts import DocumentTokens, both_encoded
from tokaudit.report.model import Evidence
from tokaudit.report.replacement import ShiftedDocument

SHOWN = 3  # documents at either end
LONGEST = 80  # characters of a line that is shown
MOST_LINES = 2000  # of a document that are looked at
HABITS = {
    "digits": "In 1999 it was 1234567.89",
    "indentation": "def f(x):\n    if x:\n\t\treturn 8 * x",
    "trailing space": "a word \n",
    "line ends": "one\r\ntwo\n\n\nthree",
    "apostrophes": "don't DON'T it’s",
}
Rows = Callable[[Sequence[str]], Iterator[tuple[TokenRow, TokenRow] | None]]
"""The tokens of texts on both sides; None for a text that a side refuses."""


@dataclass(frozen=True)
class Shift:
    """A document by file and number, from 1, with the token counts of both sides."""

    file: str
    number: int
    left: int
    right: int


def shifts(
    file: str, left: DocumentTokens, right: DocumentTokens
) -> tuple[list[Shift], list[Shift]]:
    """Return the documents that lose and gain most tokens; earlier ones win ties.

    >>> from array import array
    >>> left, right = (DocumentTokens(array("q", tokens)) for tokens in ([9, 5], [4, 6]))
    >>> fewer, more = shifts("f", left, right)
    >>> fewer[0].number, more[0].number, len(fewer), len(more)
    (1, 2, 1, 1)
    """
    found = [
        Shift(file, at + 1, left.tokens[at], right.tokens[at]) for at in both_encoded(left, right)
    ]
    return worst(found, 1), worst(found, -1)


def worst(found: Sequence[Shift], sign: int) -> list[Shift]:
    """Return the documents of one direction, the largest changes first."""
    differing = [each for each in found if sign * (each.right - each.left) < 0]
    return nsmallest(
        SHOWN, differing, key=lambda each: (sign * (each.right - each.left), each.file, each.number)
    )


def shown(shift: Shift, text: str, rows: Rows) -> ShiftedDocument | None:
    """Return a document with its line that changes most in the same direction."""
    lines = [line[:LONGEST] for line in text.splitlines()[:MOST_LINES] if line.strip()]
    sign = 1 if shift.right < shift.left else -1
    found: list[tuple[int, int, str, tuple[TokenRow, TokenRow]]] = [
        (sign * (len(both[1].ids) - len(both[0].ids)), at, line, both)
        for at, (line, both) in enumerate(zip(lines, rows(lines), strict=True))
        if both is not None
    ]
    if not found:
        return None
    _, _, line, (one, other) = min(found, key=lambda each: each[:2])
    evidence = two_rows(line, one, other, "the line that shifts most")
    return ShiftedDocument(shift.file, shift.number, shift.left, shift.right, evidence)


def habits(rows: Rows) -> Iterator[Evidence]:
    """Yield short texts that show how both sides split digits, spaces and the like."""
    for (what, text), both in zip(HABITS.items(), rows(list(HABITS.values())), strict=True):
        if both is not None:
            yield two_rows(text, *both, what)
