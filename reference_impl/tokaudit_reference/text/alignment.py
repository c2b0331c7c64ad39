"""Keeps, for each character of a text that changes, which characters of the original it came from.

A normalizer says what it changes as `Edit`s; `AlignedText.edited` applies them.  An `Edit` names,
for each new character, the range of old characters that it stands for.  Where a step states only
what became what, `edit` follows the rule of Hugging Face's tokenizers: the new characters take the
old ones' places one by one, what is over takes the last old one's, and what is inserted that of
the character before it.  It normalizes nothing.

Source: `NormalizedString` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Span = tuple[int, int]  # half-open


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces the old characters [start, end); `places` has a range for each new one.

    A range is of old characters; an empty one (at, at) is the point before the character `at`,
    and (-1, -1) the point where the text begins in the original.
    """

    start: int
    end: int
    replacement: str
    places: tuple[Span, ...]


def edit(start: int, end: int, replacement: str) -> Edit:
    """Return an edit in which new characters take the places of the old ones in order.

    >>> edit(3, 4, "ss").places, edit(3, 5, "x").places, edit(3, 3, "_").places
    (((3, 4), (3, 4)), ((3, 4),), ((2, 3),))
    """
    last = end - 1
    sources = [min(start + index, last) for index in range(len(replacement))]
    return Edit(start, end, replacement, tuple(place(source) for source in sources))


def all_from(source: int, start: int, end: int, replacement: str) -> Edit:
    """Return an edit in which every new character stands for one old character."""
    return Edit(start, end, replacement, (place(source),) * len(replacement))


def place(source: int) -> Span:
    """Return the range of one old character; before the first it is the beginning."""
    return (source, source + 1) if source >= 0 else (-1, -1)


def from_changes(length: int, changes: Iterable[tuple[str, int]]) -> Edit:
    """Build an edit from tokenizers' form: each new character and its change of length.

    1 says that the character is new, 0 that it replaces one, -n that n more fell away after it.

    >>> edit = from_changes(3, [("a", 0), ("b", 1), ("c", -1)])
    >>> edit.replacement, edit.places
    ('abc', ((0, 1), (0, 1), (1, 2)))
    """
    characters: list[str] = []
    places: list[Span] = []
    at = 0
    for character, change in changes:
        characters.append(character)
        places.append(place(at - 1 if change > 0 else at))
        at += 1 - change if change <= 0 else 0
    return Edit(0, length, "".join(characters), tuple(places))


@dataclass(frozen=True, slots=True)
class AlignedText:
    """A text and the interval of the original, in code points, of each of its characters.

    `origin` is where this text begins in the original, for what is inserted before it.
    """

    text: str
    spans: tuple[Span, ...]
    origin: int = 0

    @classmethod
    def of(cls, text: str) -> AlignedText:
        """Build an original, in which every character stands for itself."""
        return cls(text, tuple((at, at + 1) for at in range(len(text))))

    def slice(self, start: int, end: int) -> AlignedText:
        """The characters [start, end).

        >>> AlignedText.of("hello").slice(1, 3)
        AlignedText(text='el', spans=((1, 2), (2, 3)), origin=1)
        """
        spans = self.spans[start:end]
        return AlignedText(self.text[start:end], spans, spans[0][0] if spans else self.origin)

    def interval(self, start: int, end: int) -> Span:
        """Return the interval of the original for the characters [start, end).

        >>> AlignedText.of("Straße").edited([edit(4, 5, "ss")]).interval(3, 5)
        (3, 5)
        """
        if start < end:
            return self.spans[start][0], self.spans[end - 1][1]
        point = self.spans[start][0] if start < len(self.spans) else self._end()
        return point, point

    def edited(self, edits: Iterable[Edit]) -> AlignedText:
        """The text after edits, which are in order and do not overlap."""
        parts: list[str] = []
        spans: list[Span] = []
        at = 0
        for change in edits:
            parts += self.text[at : change.start], change.replacement
            spans += self.spans[at : change.start]
            spans += [self._original(where) for where in change.places]
            at = change.end
        if not at and not parts:
            return self
        parts.append(self.text[at:])
        spans += self.spans[at:]
        return AlignedText("".join(parts), tuple(spans), self.origin)

    def _original(self, where: Span) -> Span:
        start, end = where
        return (self.origin, self.origin) if start < 0 else self.interval(start, end)

    def _end(self) -> int:
        return self.spans[-1][1] if self.spans else self.origin
