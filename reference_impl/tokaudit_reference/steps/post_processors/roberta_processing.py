"""RobertaProcessing: offsets trimmed, and tokens around the text; a second has the latter twice.

Source: `RobertaProcessing` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.post_processors.bert_processing import around
from tokaudit_reference.steps.post_processors.byte_level import ByteLevel
from tokaudit_reference.steps.post_processors.reading import (
    Named,
    flag,
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
class RobertaProcessing(PostProcessorStep):
    """The RobertaProcessing step; each token is written with its id."""

    type = "RobertaProcessing"
    cls: Named = ("<s>", 0)
    sep: Named = ("</s>", 2)
    trim_offsets: bool = True
    add_prefix_space: bool = True

    @classmethod
    def from_json(cls, options: Options) -> RobertaProcessing:
        """Read the two tokens, both of which are required, and the switches."""
        trims, prefixed = flag(options, "trim_offsets"), flag(options, "add_prefix_space")
        return cls(named(options, "cls"), named(options, "sep"), trims, prefixed)

    @classmethod
    def takes(cls, options: Options) -> bool:
        """Accept options that name both tokens and state the trimming."""
        return names_both(options) and states_trimming(options)

    def to_json(self) -> dict[str, Any]:
        """The tokens with their ids, as lists, and the switches."""
        return {**super().to_json(), "cls": list(self.cls), "sep": list(self.sep)}

    def build(self, spec: TokenizerSpec) -> Process:
        """Return a process that trims the parts and puts the tokens around them."""
        trim = ByteLevel(self.add_prefix_space, self.trim_offsets).build(spec)
        first, last = self.cls[1], self.sep[1]

        def process(parts: list[Part], add: bool) -> list[Part]:
            parts = [part.typed(0) for part in trim(parts, add)]
            if not add:
                return parts
            return [part.between([last if at else first], [last]) for at, part in enumerate(parts)]

        return process

    @property
    def effects(self) -> Effects:
        """State that the step adds both tokens."""
        return around(self.cls, self.sep, self._pair())

    def acts_as(self, *, ids_only: bool = False) -> PostProcessorStep:
        """Return the step; if only ids count, a template with one type id."""
        if not ids_only:
            return self
        template = around_both(Added.one(*self.cls), Added.one(*self.sep), self._pair())
        plain = replace(self, trim_offsets=True, add_prefix_space=True)
        return (template and template.acts_as(ids_only=True)) or plain

    def _pair(self) -> Template:
        ends = Piece(self.sep[0])
        return Piece(self.cls[0]), A, ends, ends, B, ends
