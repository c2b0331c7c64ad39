"""Unicode's normalization forms, and which characters each result was made of.

The text itself comes from Python's `unicodedata`, as of Unicode 9: what got its character later
stays as it is, and nothing moves past it or combines with it.  Its edits walk the algorithm of the
standard in its own words: decompose, sort marks by combining class, compose pairs; each character
carries how the length changed there, and after sorting the change stays with its character, as
Hugging Face's tokenizers does it.

Source: Unicode Standard Annex 15; `unicode_normalization_alignments` in tokenizers.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, partial
from typing import ClassVar, Literal

from tokaudit_reference.steps.normalizers.step import NormalizerStep, Rewriting
from tokaudit_reference.steps.step import Effects
from tokaudit_reference.text.alignment import Edit, from_changes
from tokaudit_reference.text.unicode_then import newer

Change = tuple[str, int]
Form = Literal["NFC", "NFD", "NFKC", "NFKD"]


# What a form makes of the result of another is what it makes of the text; and a text in the
# compatibility form is in the canonical one already.  NFD and NFKD after NFC are left out: what
# Unicode composed since version 9 is not taken apart again here.
ABSORBS: dict[Form, frozenset[str]] = {
    "NFC": frozenset({"NFC", "NFD"}),
    "NFD": frozenset({"NFD"}),
    "NFKC": frozenset({"NFC", "NFD", "NFKC", "NFKD"}),
    "NFKD": frozenset({"NFD", "NFKD"}),
}
IDLE_AFTER: dict[Form, frozenset[str]] = {
    "NFC": frozenset({"NFKC"}),
    "NFD": frozenset({"NFKD"}),
}


class UnicodeForm(NormalizerStep):
    """The base of the four forms, each of which is named by its type."""

    type: ClassVar[Form]

    def build(self) -> Rewriting:
        """Rewrite a text into the form."""
        return Rewriting(partial(normalize, self.type), self._edits)

    def _edits(self, text: str) -> list[Edit]:
        if normalize(self.type, text) == text:
            return []
        changes = decomposed(text, decomposition_of(self.type))
        if self.type != decomposition_of(self.type):
            changes = composed(changes)
        return [from_changes(len(text), changes)]

    @property
    def effects(self) -> Effects:
        """State that a text comes back in the form, as of this Python's Unicode."""
        return Effects(
            keeps=partial(unicodedata.normalize, self.type),
            decomposes=self.type == decomposition_of(self.type),
            tables=frozenset({self.type}),
            absorbs=ABSORBS[self.type],
            idle_after=IDLE_AFTER.get(self.type, frozenset()),
        )


def decomposition_of(form: Form) -> Form:
    """Return the decomposition that a form begins with.

    >>> decomposition_of("NFKC")
    'NFKD'
    """
    return form.replace("C", "D")  # type: ignore[return-value]


@cache
def later() -> re.Pattern[str]:
    """Return a pattern of the characters since Unicode 9 that need to be left alone.

    A character that is made of two was not made of them then, so its parts are left alone too,
    where they are new themselves.
    """
    new = dict.fromkeys(newer(9))
    made = [unicodedata.normalize("NFD", character) for character in new]
    parts = dict.fromkeys(part for parts in made if len(parts) > 1 for part in parts)
    alone = [c for c in new if c in parts or _changes(c)]
    return re.compile("([" + "".join(alone) + "])")


def normalize(form: Form, text: str) -> str:
    r"""The normal form of a text, as of Unicode 9.

    >>> normalize("NFD", "\xe9") == "e\u0301", normalize("NFKC", "\u32ff") == "\u32ff"
    (True, True)
    """
    if text.isascii():
        return text
    parts = later().split(text)
    parts[::2] = [unicodedata.normalize(form, part) for part in parts[::2]]
    return "".join(parts)


def combining(character: str) -> int:
    """The canonical combining class of a character, as of Unicode 9."""
    return 0 if later().match(character) else unicodedata.combining(character)


def decomposed(text: str, form: Form) -> list[Change]:
    """Decompose fully; marks between two starters are sorted by class, stably.

    >>> decomposed("e\\u0301\\u0323", "NFD") == [("e", 0), ("\\u0323", 0), ("\\u0301", 0)]
    True
    """
    found: list[Change] = []
    marks: list[Change] = []
    for character in text:
        for place, part in enumerate(normalize(form, character)):
            if not combining(part):
                found += sorted(marks, key=_class)
                marks.clear()
                found.append((part, int(place > 0)))
            else:
                marks.append((part, int(place > 0)))
    return found + sorted(marks, key=_class)


def composed(changes: list[Change]) -> list[Change]:
    """Compose: a starter takes up each later character that nothing blocks.

    >>> composed([("e", 0), ("\\u0301", 1)])
    [('é', 0)]
    """
    found: list[Change] = []
    starter, blocked = -1, -1  # where the last starter is, and the class of the last mark kept
    for character, change in changes:
        own = combining(character)
        both = _pair(found[starter][0], character) if starter >= 0 and blocked < own else None
        if both is not None:
            found[starter] = both, found[starter][1] + change - 1
            continue
        found.append((character, change))
        if own == 0:
            starter, blocked = len(found) - 1, -1
        elif starter >= 0:
            blocked = own
    return found


def _changes(character: str) -> bool:
    return bool(unicodedata.combining(character) or unicodedata.decomposition(character))


def _class(change: Change) -> int:
    return combining(change[0])


def _pair(first: str, second: str) -> str | None:
    """Return the one character that two compose to."""
    both = normalize("NFC", first + second)
    return both if len(both) == 1 else None
