"""BertProcessing: a token before and one after the text; only the latter at a second.

Source: `BertProcessing` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.post_processors.reading import (
    Named,
    named,
    names_both,
    states_trimming,
)
from tokaudit_reference.steps.post_processors.step import Part, PostProcessorStep, Process
from tokaudit_reference.steps.post_processors.template_processing import (
    A,
    B,
    Piece,
    Template,
    around_both,
)
from tokaudit_reference.steps.step import Added, Effects, Options


@dataclass(frozen=True)
class BertProcessing(PostProcessorStep):
    """The BertProcessing step; each token is written with its id."""

    type = "BertProcessing"
    cls: Named = ("[CLS]", 101)
    sep: Named = ("[SEP]", 102)

    @classmethod
    def from_json(cls, options: Options) -> BertProcessing:
        """Read the two tokens, both of which are required."""
        return cls(named(options, "cls"), named(options, "sep"))

    @classmethod
    def takes(cls, options: Options) -> bool:
        """Accept options that name both tokens and state no trimming."""
        return names_both(options) and not states_trimming(options)

    def to_json(self) -> dict[str, Any]:
        """The tokens with their ids, as lists."""
        return {"type": self.type, "cls": list(self.cls), "sep": list(self.sep)}

    def build(self, spec: TokenizerSpec) -> Process:
        """Return a process that puts the tokens around the parts."""
        first, last = [self.cls[1]], [self.sep[1]]

        def process(parts: list[Part], add: bool) -> list[Part]:
            if not add:
                return parts
            return [
                part.between([] if at else first, last, (0, min(at, 1)))
                for at, part in enumerate(parts)
            ]

        return process

    @property
    def effects(self) -> Effects:
        """State that the step adds both tokens."""
        return around(self.cls, self.sep, self._pair())

    def acts_as(self, *, ids_only: bool = False) -> PostProcessorStep:
        """Return a template that gives the same ids and type ids."""
        first, last = Added.one(*self.cls), Added.one(*self.sep)
        template = around_both(first, last, self._pair()) if ids_only else None
        return (template and template.acts_as(ids_only=True)) or self

    def _pair(self) -> Template:
        begins, ends = Piece(self.cls[0]), Piece(self.sep[0])
        return begins, A, ends, replace(B, type_id=1), replace(ends, type_id=1)


def around(first: Named, last: Named, pair: Template) -> Effects:
    """The effects of one token before the text and one after it."""
    adds = tuple(Added.one(token, id) for token, id in (first, last))
    one_text = (Piece(first[0]), A, Piece(last[0]))
    return Effects(adds=adds, one_text=one_text, two_texts=pair)
