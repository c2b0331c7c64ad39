"""A step of post-processing: from parts to parts.

The library keeps the tokens of each text, and each special token of a template, as a part of its
own until the last step; a step that follows a template sees these parts, not their sum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.post_processors.reading import flag
from tokaudit_reference.steps.step import Options, Step

Span = tuple[int, int]  # half-open, of the text in code points
NOWHERE: Span = (0, 0)  # the interval of a token that is added


@dataclass(frozen=True, slots=True)
class Part:
    """The ids of a part, with intervals, the text of each before trimming, and types."""

    ids: list[int]
    offsets: list[Span]
    surfaces: list[str]
    types: list[int]

    @classmethod
    def of(cls, ids: list[int], offsets: list[Span], text: str) -> Part:
        """Build a part from the tokens of a text, which may be unknown."""
        return cls(ids, offsets, [text[start:end] for start, end in offsets], [0] * len(ids))

    @classmethod
    def added(cls, ids: list[int]) -> Part:
        """Build a part of special tokens, which stand for nothing in the text."""
        return cls.of(ids, [NOWHERE] * len(ids), "")

    def typed(self, type_id: int) -> Part:
        """Return the part with one type for all its tokens."""
        return replace(self, types=[type_id] * len(self.ids))

    def between(self, before: list[int], after: list[int], types: Span = (0, 0)) -> Part:
        """Return the part with special tokens of two types at its ends.

        >>> Part.of([7], [(0, 3)], "abc").between([1], [2]).offsets
        [(0, 0), (0, 3), (0, 0)]
        >>> Part.added([7]).typed(1).between([], [2], (0, 1)).types
        [1, 1]
        """
        first, last = Part.added(before), Part.added(after)
        return Part(
            [*before, *self.ids, *after],
            [*first.offsets, *self.offsets, *last.offsets],
            [*first.surfaces, *self.surfaces, *last.surfaces],
            [*first.typed(types[0]).types, *self.types, *last.typed(types[1]).types],
        )


Process = Callable[[list[Part], bool], list[Part]]  # the parts; add special tokens?


class PostProcessorStep(Step):
    """The base of every post-processor."""

    @classmethod
    def option(cls, options: Options, name: str, default: Any) -> Any:
        """Read one option; all that are read so are switches."""
        return flag(options, name, default)

    def build(self, spec: TokenizerSpec) -> Process:
        """Return its process on the parts of a text, made once for a tokenizer."""
        raise NotImplementedError
