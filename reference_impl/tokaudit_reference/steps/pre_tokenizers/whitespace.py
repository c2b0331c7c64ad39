"""Whitespace: runs of word characters, and runs of other characters but white space."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit_reference.steps.pre_tokenizers.classes import matches_of
from tokaudit_reference.steps.pre_tokenizers.step import Cutting, PreTokenizerStep
from tokaudit_reference.steps.step import Effects
from tokaudit_reference.text.patterns.classes import SPACE_CLASS, WORD_CLASS
from tokaudit_reference.text.white_space import WORD


@dataclass(frozen=True)
class Whitespace(PreTokenizerStep):
    """The Whitespace step, which has no options."""

    type = "Whitespace"

    def build(self) -> Cutting:
        """The runs of word characters, and of others."""
        return matches_of(rf"[{WORD}]+|[^{WORD}\s]+")

    @property
    def effects(self) -> Effects:
        """State that the step drops white space."""
        return Effects(
            loses="drops white space",
            stays_in_alphabet=True,
            cuts_words=True,
            tables=frozenset({WORD_CLASS, SPACE_CLASS}),
        )
