"""Detect the Unicode version of a runtime's tables by its answers.

Each version was the first to have some letter.  A runtime that knows the letter treats the text
around it as around an old letter, one that does not as around a code point that no version has.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import regex

from tokaudit.products.engines.covering.characters import LETTERS_OF_VERSIONS, OLD_LETTER
from tokaudit.products.engines.referee.match import Match
from tokaudit.runtimes.protocol import Encoding

NO_LETTER = "\U00040000"  # a code point without a character in every version
AROUND = ("{}'s", "{}'ll a", "{}\n \n", "a{}b", "{}", "{} 1", ".{}a", "1{}", " {}", "{}{}")
"""Texts around a character; where it counts as a letter, many patterns cut them differently."""
BEFORE_ALL, SHOWN = "7.0 or earlier", 10
NEW = regex.compile(r"(?!\p{Han})\p{L}")

Shape = tuple[object, ...]
"""The tokens of a text without those of the character itself."""


@dataclass(frozen=True)
class UnicodeSeen:
    """The newest version whose letter a runtime knows, and its unknown letters.

    `version` is empty where no answer shows it: the tokenizer looks nothing up, or gives no ids.
    """

    version: str = ""
    unknown: str = ""

    def __str__(self) -> str:
        """Describe the result in one sentence; empty if nothing was seen.

        >>> str(UnicodeSeen("15.1", "U+105C0"))
        'letters of Unicode 15.1, without U+105C0'
        """
        if not self.version:
            return ""
        without = f", without {self.unknown}" if self.unknown else " at least"
        return f"letters of Unicode {self.version}{without}"


def unicode_of(match: Match) -> UnicodeSeen:
    """Return the runtime's Unicode version, and letters on which it differs from the file."""
    ours, theirs = (Answers(match, side) for side in (0, 1))
    version, unknown = _newest(theirs)
    if not version or not unknown:
        return UnicodeSeen(version)
    form = next(iter(theirs.telling))
    letters = list(_new_letters())
    match.of([form.replace("{}", each) for each in letters])  # at once; every answer is kept
    new = [each for each in letters if theirs.like(each, form) == NO_LETTER]
    if form in ours.telling:
        new = [each for each in new if ours.like(each, form) == OLD_LETTER]
    return UnicodeSeen(version, in_ranges({*unknown, *new}))


class Answers:
    """Answers of one side around a character; 0 is the reference, 1 the runtime."""

    def __init__(self, match: Match, side: int) -> None:
        self._match, self._side = match, side
        self._like = {
            (kind, form): self._shape(kind, form)
            for kind in (OLD_LETTER, NO_LETTER)
            for form in AROUND
        }
        self.telling = [
            form for form in AROUND if self._like[OLD_LETTER, form] != self._like[NO_LETTER, form]
        ]

    def like(self, character: str, form: str) -> str | None:
        """Return which of two treatments a character gets in a text; None for neither."""
        shape = self._shape(character, form)
        return next((k for k in (OLD_LETTER, NO_LETTER) if self._like[k, form] == shape), None)

    def _shape(self, character: str, form: str) -> Shape:
        [answers] = self._match.of([form.replace("{}", character)])
        return _shape(self._match, character, answers[self._side])


def _shape(match: Match, character: str, found: Encoding) -> Shape:
    """Return the ids, with one placeholder for those of the character."""
    if found.error is not None:
        return ("refused",)
    own = set(character.encode()) | {0xEF, 0xBF, 0xBD}
    tokens: list[object] = []
    for id in found.ids:
        value = match.values.get(id, b"")
        inside = bool(value) and max(value) >= 0x80 and set(value.strip()) <= own
        if not inside:
            tokens.append(id)
        elif not tokens or tokens[-1] != character.isspace():
            tokens.append(False)
    return tuple(tokens)


def _newest(answers: Answers) -> tuple[str, list[str]]:
    """Return the newest known version, and the first unknown letter of each other."""
    newest, unknown = "", []
    for version, letter in LETTERS_OF_VERSIONS.items():
        like = {answers.like(letter, form) for form in answers.telling}
        if like == {OLD_LETTER}:
            newest = version
        elif like == {NO_LETTER}:
            unknown.append(letter)
            newest = newest or BEFORE_ALL
    return newest, unknown


def _new_letters() -> Iterator[str]:
    """Yield letters that Python's tables lack and those of `regex` have, without Han."""
    for code in range(0x110000):
        character = chr(code)
        if unicodedata.category(character) == "Cn" and NEW.match(character):
            yield character


def in_ranges(characters: Iterable[str]) -> str:
    """Format code points as ranges, at most ten.

    >>> in_ranges("abcz")
    'U+0061-0063, U+007A'
    """
    codes = set(map(ord, characters))
    starts = sorted(code for code in codes if code - 1 not in codes)
    ends = sorted(code for code in codes if code + 1 not in codes)
    said = [
        f"U+{one:04X}" if one == other else f"U+{one:04X}-{other:04X}"
        for one, other in zip(starts, ends, strict=True)
    ]
    more = f" and {len(said) - SHOWN} more ranges" if len(said) > SHOWN else ""
    return ", ".join(said[:SHOWN]) + more
