"""Prepend: a text put before every text that is not empty.

With nothing to put there it is not idle in tokenizers: what the first character came from is lost,
and with it offsets, and what later steps make of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit_reference.steps.normalizers.step import NormalizerStep, Rewriting
from tokaudit_reference.steps.step import Effects
from tokaudit_reference.text.alignment import Edit, all_from
from tokaudit_reference.text.bytes_alphabet import in_alphabet


@dataclass(frozen=True)
class Prepend(NormalizerStep):
    """The Prepend step; its text is usually a mark for a space."""

    type = "Prepend"
    prepend: str = "\u2581"

    def build(self) -> Rewriting:
        """Rewrite a text with something before it."""
        return prepended(self.prepend)

    @property
    def effects(self) -> Effects:
        """State that the step writes its own text, which a decoder removes."""
        return Effects(writes=self.prepend, stays_in_alphabet=in_alphabet(self.prepend))


def prepended(prefix: str) -> Rewriting:
    """The rewriting that puts a prefix, which stands for the first character, before any text.

    With an empty one the first character is put before the text, as the library does it.
    """
    source = 0 if prefix else -1

    def edits(text: str) -> list[Edit]:
        return [all_from(source, 0, 1, prefix + text[0])] if text else []

    return Rewriting(lambda text: prefix + text if text else text, edits)
