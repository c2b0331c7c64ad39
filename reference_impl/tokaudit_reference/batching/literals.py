"""Special tokens spelled out in user text: refuse them, break them up, or take them as plain text.

A user who types ``<|im_end|>`` must not end the turn.  Three policies prevent it:

* `reject` raises an error that names the token and its place;
* `escape` puts U+2060 WORD JOINER inside each one: the text shows the same, no token is found;
* `as_text` changes nothing, and says which ranges to encode with parsing of special tokens off.

The user's part is given as spans of the rendered text; a literal that is half the user's and half
the template's counts as the user's.  Literals are compared code point by code point: a normalizer
that makes one (``＜`` to ``<``), or that drops U+2060 (as BERT's cleaning of text does) before
tokens are looked for, undoes `escape`; `as_text` holds then too.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tokaudit_reference.batching.spans import Interval, Rule, complement, mask_from_spans, union

WORD_JOINER = "\u2060"  # no width, no glyph, and no line is broken at it


class ReservedLiteral(ValueError):
    """Raised for a special token in user text; says which and where."""

    def __init__(self, literal: str, place: int, why: str = "") -> None:
        self.literal, self.place = literal, place
        remedy = why or "remove it, escape it, or encode this part without special tokens"
        super().__init__(f"the text spells the special token {literal!r} at {place}: {remedy}")


@dataclass(frozen=True, slots=True, order=True)
class Found:
    """One occurrence of a literal."""

    start: int
    end: int
    literal: str


@dataclass(frozen=True, slots=True)
class Range:
    """A part of a text to encode by itself, and whether special tokens are looked for in it."""

    start: int
    end: int
    parse_special: bool


def find(text: str, literals: Iterable[str], user: Sequence[Interval] | None = None) -> list[Found]:
    """Every occurrence that has a character in the user's spans (None: the whole text).

    Occurrences may overlap: which of them a scanner takes is the scanner's business.

    >>> find("a<s><s>", ["<s>"])
    [Found(start=1, end=4, literal='<s>'), Found(start=4, end=7, literal='<s>')]
    """
    found = []
    for literal in {literal for literal in literals if literal}:
        start = text.find(literal)
        while start >= 0:
            found.append(Found(start, start + len(literal), literal))
            start = text.find(literal, start + 1)
    theirs = mask_from_spans([(one.start, one.end) for one in found], _spans(text, user), Rule.ANY)
    return sorted(one for one, is_theirs in zip(found, theirs, strict=True) if is_theirs)


def reject(text: str, literals: Iterable[str], user: Sequence[Interval] | None = None) -> str:
    """The text unchanged; raises `ReservedLiteral` for the first literal in it.

    >>> reject("a < b", ["<s>"])
    'a < b'
    """
    for found in find(text, literals, user):
        raise ReservedLiteral(found.literal, found.start)
    return text


def escape(
    text: str,
    literals: Iterable[str],
    user: Sequence[Interval] | None = None,
    separator: str = WORD_JOINER,
) -> str:
    """The text with a separator inside each literal; dropping the separators gives it back.

    Raises `ReservedLiteral` for one that cannot be broken up: it is one character long, or what the
    separator makes is a literal again.

    >>> ascii(escape("a<s>", ["<s>"]))
    "'a<s\\\\u2060>'"
    """
    literals, spans = list(literals), _spans(text, user)
    cuts: list[int] = []
    for found in sorted(find(text, literals, spans), key=lambda one: one.end):
        if not cuts or cuts[-1] <= found.start:
            cuts.append(_cut(found, spans))
    broken = _with_separators(text, cuts, separator)
    for left in find(broken, literals, _moved(spans, cuts, len(separator))):
        raise ReservedLiteral(left.literal, left.start, "no separator can break it up; reject it")
    return broken


def as_text(text: str, user: Sequence[Interval] | None = None) -> list[Range]:
    """The ranges of a text in order, the user's to be encoded without special tokens.

    >>> [(r.start, r.end, r.parse_special) for r in as_text("<s>hello</s>", [(3, 8)])]
    [(0, 3, True), (3, 8, False), (8, 12, True)]
    """
    spans = _spans(text, user)
    theirs = [Range(start, end, False) for start, end in spans]
    ours = [Range(start, end, True) for start, end in complement(spans, len(text))]
    return sorted([*theirs, *ours], key=lambda part: part.start)


def _spans(text: str, user: Sequence[Interval] | None) -> Sequence[Interval]:
    """The user's spans, sorted and apart."""
    for start, end in user or ():
        if not 0 <= start <= end <= len(text):
            raise ValueError(
                f"({start}, {end}) is not an interval of a text of {len(text)} characters"
            )
    return union([(0, len(text))] if user is None else user)


def _cut(found: Found, spans: Sequence[Interval]) -> int:
    """Return the last place strictly inside the literal that is in or at a user's span."""
    for start, end in reversed(spans):
        place = min(found.end - 1, end)
        if place >= max(found.start + 1, start):
            return place
    raise ReservedLiteral(found.literal, found.start, "one character cannot be broken up")


def _with_separators(text: str, cuts: Sequence[int], separator: str) -> str:
    edges = [0, *cuts, len(text)]
    return separator.join(text[start:end] for start, end in pairwise(edges))


def _moved(spans: Sequence[Interval], cuts: Sequence[int], by: int) -> list[Interval]:
    """Move spans by the separators put at the cuts, including those at a span's edges."""
    return [
        (start + by * bisect_left(cuts, start), end + by * bisect_right(cuts, end))
        for start, end in spans
    ]
