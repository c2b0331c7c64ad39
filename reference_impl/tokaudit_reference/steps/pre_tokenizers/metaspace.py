"""Metaspace: spaces become a visible mark, which may be put before the text and split at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from tokaudit_reference.steps.marked_spaces import SPACE, stated_scheme
from tokaudit_reference.steps.normalizers.prepend import prepended
from tokaudit_reference.steps.normalizers.replace import replaced
from tokaudit_reference.steps.normalizers.step import in_order
from tokaudit_reference.steps.pre_tokenizers.split import split_at
from tokaudit_reference.steps.pre_tokenizers.step import Cutting, PreTokenizerStep, whole
from tokaudit_reference.steps.step import Effects, Options
from tokaudit_reference.text.alignment import Edit
from tokaudit_reference.text.matching import find_literal


@dataclass(frozen=True)
class Metaspace(PreTokenizerStep):
    """The Metaspace step; the mark is put before every text, the first alone, or none."""

    type = "Metaspace"
    replacement: str = SPACE
    prepend_scheme: str = "always"
    split: bool = True

    @classmethod
    def from_json(cls, options: Options) -> Metaspace:
        """Read the options; old files state `add_prefix_space` instead of the scheme."""
        return super().from_json({**options, "prepend_scheme": stated_scheme(options)})

    def build(self) -> Cutting:
        """The cutting of one text.

        >>> Metaspace(prepend_scheme="first").build().pieces("a b", True)
        ['▁a', '▁b']
        """
        mark, scheme, splits = self.replacement, self.prepend_scheme, self.split
        cut = split_at(partial(find_literal, mark), "MergedWithNext")
        spaces, marked = replaced(" ", mark), prepended(mark)
        both = in_order([spaces, marked])

        def wanted(text: str, first: bool) -> bool:
            if scheme == "never" or (scheme == "first" and not first):
                return False
            return not text.startswith((mark, " "))

        def edited(text: str, first: bool) -> str:
            new = text.replace(" ", mark)
            return mark + new if text and wanted(text, first) else new

        def pieces(text: str, first: bool) -> list[str]:
            new = edited(text, first)
            return cut.pieces(new, first) if splits else [new]

        def edits(text: str, first: bool) -> list[Edit]:
            return (both if wanted(text, first) else spaces).edits(text)

        return Cutting(pieces, cut.spans if splits else whole, edits)

    @property
    def effects(self) -> Effects:
        """State that the step marks spaces, and with one scheme looks for the start of the text."""
        return Effects(
            mark=self.replacement,
            writes=self.replacement,
            asks_for_beginning=self.prepend_scheme == "first",
        )
