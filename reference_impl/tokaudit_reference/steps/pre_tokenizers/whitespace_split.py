"""WhitespaceSplit: what is between white space."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit_reference.steps.pattern import Pattern, SplitAt
from tokaudit_reference.steps.pre_tokenizers.classes import matches_of
from tokaudit_reference.steps.pre_tokenizers.step import Cutting, PreTokenizerStep
from tokaudit_reference.steps.step import Effects
from tokaudit_reference.text.white_space import WHITE_SPACE_TABLE


@dataclass(frozen=True)
class WhitespaceSplit(PreTokenizerStep):
    """The step, which has no options."""

    type = "WhitespaceSplit"

    def build(self) -> Cutting:
        """The runs of anything else."""
        return matches_of(r"\S+")

    @property
    def effects(self) -> Effects:
        """It drops white space, which is the same set in every version of Unicode since 6.3."""
        return Effects(
            splits=(SplitAt(Pattern(r"\s+", is_regex=True), "Removed"),),
            loses="drops white space",
            stays_in_alphabet=True,
            cuts_words=True,
            tables=frozenset({WHITE_SPACE_TABLE}),
        )
