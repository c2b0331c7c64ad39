"""WhitespaceSplit: the parts between white space."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit_reference.steps.pattern import Pattern, SplitAt
from tokaudit_reference.steps.pre_tokenizers.classes import matches_of
from tokaudit_reference.steps.pre_tokenizers.step import Cutting, PreTokenizerStep
from tokaudit_reference.steps.step import Effects
from tokaudit_reference.text.white_space import WHITE_SPACE_TABLE


@dataclass(frozen=True)
class WhitespaceSplit(PreTokenizerStep):
    """The WhitespaceSplit step, which has no options."""

    type = "WhitespaceSplit"

    def build(self) -> Cutting:
        """Return a cutting into the runs of anything else."""
        return matches_of(r"\S+")

    @property
    def effects(self) -> Effects:
        """State that the step drops white space, the same set in all Unicode versions since 6.3."""
        return Effects(
            splits=(SplitAt(Pattern(r"\s+", is_regex=True), "Removed"),),
            loses="drops white space",
            stays_in_alphabet=True,
            cuts_words=True,
            tables=frozenset({WHITE_SPACE_TABLE}),
        )
