"""StripAccents: a text without its marks; those in one character with a letter stay."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit_reference.steps.normalizers.step import NormalizerStep, Rewriting, character_wise
from tokaudit_reference.steps.step import Effects
from tokaudit_reference.text.unicode_then import category


def strip_marks(text: str) -> str:
    """The text without marks of any kind, as of Unicode 9; decompose first to free accents.

    >>> strip_marks("e\u0301\u0903\u0488")
    'e'
    """
    if text.isascii():
        return text
    return "".join([c for c in text if category(c, 9)[0] != "M"])


@dataclass(frozen=True)
class StripAccents(NormalizerStep):
    """The StripAccents step, which has no options."""

    type = "StripAccents"

    def build(self) -> Rewriting:
        """Rewrite each character by itself."""
        return character_wise(strip_marks, strip_marks)

    @property
    def effects(self) -> Effects:
        """State that the step loses marks; the alphabet of bytes has none."""
        return Effects(
            loses="drops marks",
            character_wise=True,
            strips_marks=True,
            stays_in_alphabet=True,
            tables=frozenset({self.type}),
        )
