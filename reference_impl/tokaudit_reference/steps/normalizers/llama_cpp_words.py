"""Normalizes as llama.cpp does before its WordPiece: words and marks between single spaces.

Each character is taken by itself.  Accents are stripped by what it calls NFD, which keeps the first
character of a decomposition: so a Korean syllable is left with its first consonant.  Marks are all
of them, those that take up space or enclose too.  Punctuation, ASCII's symbols and ideographs are
words by themselves; controls, U+0000 and U+FFFD are dropped.

Source: `llm_tokenizer_wpm_session::preprocess` in `llama-vocab.cpp`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tokaudit_reference.steps.normalizers.bert_normalizer import IDEOGRAPHS, BertNormalizer
from tokaudit_reference.steps.normalizers.step import NormalizerStep, Rewriting, character_wise
from tokaudit_reference.steps.step import Effects
from tokaudit_reference.text.llama_cpp_unicode import first_of_decomposition, is_space, kind, lower

DROPPED = "\0\ufffd"
MARK, CONTROL, PUNCTUATION, SYMBOL = "M", "C", "P", "S"


@dataclass(frozen=True)
class LlamaCppWords(NormalizerStep):
    """The step, with the two settings that a file may state."""

    type = "LlamaCppWords"
    lowercase: bool = True
    strip_accents: bool = True

    def build(self) -> Rewriting:
        """Rewrite each character by itself."""
        return character_wise(_rule(self.lowercase, self.strip_accents))

    def published(self) -> dict[str, Any]:
        """Return BERT's own normalizer, with the same settings."""
        step = BertNormalizer(lowercase=self.lowercase, strip_accents=self.strip_accents)
        return step.to_json()

    @property
    def effects(self) -> Effects:
        """State that the step drops more than accents and case."""
        return Effects(
            loses="drops case, accents, control characters or which space it was",
            character_wise=True,
            lower_cases=self.lowercase,
            decomposes=self.strip_accents,
            strips_marks=self.strip_accents,
        )


@lru_cache(maxsize=8)
def _rule(lowercase: bool, strip_accents: bool) -> Callable[[str], str]:
    """Return the rule for one character; each result is kept.

    >>> rule = _rule(True, True)
    >>> [rule(character) for character in "É가\u20e3!→"]
    ['e', 'ᄀ', '', ' ! ', '→']
    """

    @lru_cache(maxsize=65_536)
    def of(character: str) -> str:
        if strip_accents:
            character = first_of_decomposition(character)
        if is_space(character):
            return " "
        sort = kind(character)
        if character in DROPPED or sort == CONTROL or (strip_accents and sort == MARK):
            return ""
        shown = lower(character) if lowercase else character
        return f" {shown} " if _stands_alone(character, sort) else shown

    return of


def _stands_alone(character: str, sort: str) -> bool:
    """Return whether a character is a word by itself."""
    if sort == PUNCTUATION or (sort == SYMBOL and character < "\x7f"):
        return True
    return any(first <= ord(character) <= last for first, last in IDEOGRAPHS)
