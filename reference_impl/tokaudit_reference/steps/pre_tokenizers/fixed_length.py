"""FixedLength: pieces with a fixed number of characters each."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit_reference.errors import SpecError
from tokaudit_reference.steps.pre_tokenizers.step import Cutting, PreTokenizerStep, cutting
from tokaudit_reference.steps.step import Effects, Options
from tokaudit_reference.text.alignment import Span


@dataclass(frozen=True)
class FixedLength(PreTokenizerStep):
    """The FixedLength step; the last piece of a text may be shorter."""

    type = "FixedLength"
    length: int = 5

    @classmethod
    def from_json(cls, options: Options) -> FixedLength:
        """Read the length; raises `SpecError` for an invalid one."""
        length = options.get("length", 5)
        if not isinstance(length, int) or length < 1:
            what = f"the length {length!r} is not a positive number"
            raise SpecError(what, pointer="/pre_tokenizer")
        return cls(length)

    def build(self) -> Cutting:
        """Return a cutting into pieces of the fixed length."""
        length = self.length

        def spans(text: str) -> list[Span]:
            return [(at, min(at + length, len(text))) for at in range(0, len(text), length)]

        return cutting(spans)

    @property
    def effects(self) -> Effects:
        """State that the step only cuts."""
        return Effects(stays_in_alphabet=True)
