"""The texts of the learned entries, which several checks look through for what is missing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tokaudit.plugin import need
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.vocab_entries import ordinary, text_of


@dataclass(frozen=True)
class LearnedTexts:
    """The text that each entry stands for, as far as it is one; empty ones are left out."""

    all: tuple[str, ...]

    @cached_property
    def in_lines(self) -> str:
        """Each in a line, so that one search looks through all of them."""
        return "\n".join(self.all)


@need
def learned_texts(spec: TokenizerSpec) -> LearnedTexts:
    """Decode each entry once."""
    return LearnedTexts(tuple(text for _, piece in ordinary(spec) if (text := text_of(piece))))
