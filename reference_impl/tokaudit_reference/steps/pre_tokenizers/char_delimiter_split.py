"""CharDelimiterSplit: the parts between the occurrences of one character."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from tokaudit_reference.steps.pattern import Pattern, SplitAt
from tokaudit_reference.steps.pre_tokenizers.split import split_at
from tokaudit_reference.steps.pre_tokenizers.step import Cutting, PreTokenizerStep
from tokaudit_reference.steps.step import Effects
from tokaudit_reference.text.matching import find_literal


@dataclass(frozen=True)
class CharDelimiterSplit(PreTokenizerStep):
    """The CharDelimiterSplit step with its delimiter."""

    type = "CharDelimiterSplit"
    delimiter: str = " "

    def build(self) -> Cutting:
        """The cutting around the delimiter, which is dropped."""
        return split_at(partial(find_literal, self.delimiter), "Removed")

    @property
    def effects(self) -> Effects:
        """State that the step drops the delimiter."""
        return Effects(
            loses="drops its delimiter",
            stays_in_alphabet=True,
            cuts_words=self.delimiter.isspace(),
            splits=(SplitAt(Pattern(self.delimiter), "Removed"),),
        )
