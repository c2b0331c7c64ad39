"""Lowercase: every character to lower case."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from tokaudit_reference.steps.normalizers.step import NormalizerStep, Rewriting, character_wise
from tokaudit_reference.steps.step import Effects
from tokaudit_reference.text.older_tables import not_yet

# The capitals of Unicode 15 to 17, which the library knows whatever the version of this Python is.
LOWER_SINCE_14 = {
    "\ua7cb": "\u0264",
    "\ua7dc": "\u019b",
    **{chr(code): chr(code + 1) for code in (0x1C89, *range(0xA7CC, 0xA7DB, 2))},
    **{chr(code): chr(code + 0x20) for code in range(0x10D50, 0x10D66)},
    **{chr(code): chr(code + 0x1B) for code in range(0x16EA0, 0x16EB9)},
}


def _any_of(characters: Iterable[str]) -> re.Pattern[str]:
    return re.compile("[" + "".join(sorted(characters)) + "]")


NEW_CAPITALS = _any_of(LOWER_SINCE_14)


def lowercase(text: str) -> str:
    """Lower-case each character by itself, without the context rule for a final sigma.

    >>> lowercase("ΑΣ")
    'ασ'
    """
    lower = "σ".join([part.lower() for part in text.split("Σ")]) if "Σ" in text else text.lower()
    return lower if text.isascii() else NEW_CAPITALS.sub(_of_new_capital, lower)


def _lowercase_but(left: re.Pattern[str], text: str) -> str:
    """Lower-case all characters but those that an older version does not know as capitals."""
    found: list[str] = []
    at = 0
    for stays in left.finditer(text):
        found += lowercase(text[at : stays.start()]), stays.group()
        at = stays.end()
    return "".join([*found, lowercase(text[at:])])


def _of_new_capital(capital: re.Match[str]) -> str:
    return LOWER_SINCE_14[capital.group()]


@dataclass(frozen=True)
class Lowercase(NormalizerStep):
    """The Lowercase step, which has no options."""

    type = "Lowercase"
    grew: ClassVar = True

    def build(self) -> Rewriting:
        """Rewrite each character by itself."""
        left = not_yet(self.library, self.type)
        lower = partial(_lowercase_but, _any_of(left)) if left else lowercase
        return character_wise(lower, lower)

    @property
    def effects(self) -> Effects:
        """State that the step loses case, by its own table."""
        return Effects(
            loses="drops the case of letters",
            character_wise=True,
            lower_cases=True,
            tables=frozenset({self.type}),
        )
