"""Punctuation: a text cut around its punctuation marks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from tokaudit_reference.steps.pre_tokenizers.classes import is_punctuation, of_class
from tokaudit_reference.steps.pre_tokenizers.split import refuse_unknown, split_at
from tokaudit_reference.steps.pre_tokenizers.step import Cutting, PreTokenizerStep
from tokaudit_reference.steps.step import Effects, Options


@dataclass(frozen=True)
class Punctuation(PreTokenizerStep):
    """The Punctuation step; its behaviours are those of `Split`."""

    type = "Punctuation"
    behavior: str = "Isolated"

    @classmethod
    def from_json(cls, options: Options) -> Punctuation:
        """The behaviour; raises `SpecError` for an unknown one."""
        step = super().from_json(options)
        refuse_unknown(step.behavior)
        return step

    def build(self) -> Cutting:
        """The cutting around each mark."""
        return split_at(partial(of_class, is_punctuation), self.behavior)

    @property
    def effects(self) -> Effects:
        """State that the step may drop the marks."""
        return Effects(
            loses="drops punctuation" if self.behavior == "Removed" else "",
            stays_in_alphabet=True,
            cuts_words=True,
            tables=frozenset({self.type}),
        )
