"""Texts of the learned entries, for checks that search for missing characters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tokaudit.plugin import need
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.vocab_entries import ordinary, text_of


@dataclass(frozen=True)
class LearnedTexts:
    """The text of each entry that is text; empty ones are left out."""

    all: tuple[str, ...]

    @cached_property
    def in_lines(self) -> str:
        """Return one text per line, so that a single search covers all."""
        return "\n".join(self.all)


@need
def learned_texts(spec: TokenizerSpec) -> LearnedTexts:
    """Decode each entry once."""
    return LearnedTexts(tuple(text for _, piece in ordinary(spec) if (text := text_of(piece))))
