"""Normalizes as llama.cpp does before its Unigram: characters mapped, words begun by U+2581.

It differs from SentencePiece's own normalizer, whose map of characters it reads.  Where a text goes
on as a symbol of the user begins, as far as it does, the map is not asked, whether the symbol is
there to its end or not; symbols are compared by characters here, by bytes there.  Where extra white
space is removed every word gets a mark, the first too, whether a prefix is asked for or not.
Elsewhere the prefix comes before the first character that is no space, so a text of spaces alone
has none.  The switches for other marks are not read.

Source: `llm_tokenizer_ugm_session::normalize` in `llama-vocab.cpp`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tokaudit_reference.steps.marked_spaces import SPACE as MARK
from tokaudit_reference.steps.normalizers.precompiled import charsmap
from tokaudit_reference.steps.normalizers.sentencepiece import SentencePiece, Settings, matches
from tokaudit_reference.steps.normalizers.step import Rewriting
from tokaudit_reference.steps.normalizers.with_symbols import WithSymbols
from tokaudit_reference.steps.step import Effects
from tokaudit_reference.text.alignment import Edit

Begun = tuple[str, int]  # a new character, and the place of the old one


@dataclass(frozen=True)
class LlamaCppUnigram(WithSymbols):
    """The step, with the settings of the file."""

    type = "LlamaCppUnigram"
    precompiled_charsmap: str = ""
    add_space_prefix: bool = False
    remove_extra_whitespaces: bool = False
    user_defined_symbols: tuple[str, ...] = ()

    def build(self) -> Rewriting:
        """Rewrite the whole text as one edit."""
        table, begun = charsmap(self.precompiled_charsmap), _beginnings(self.user_defined_symbols)
        settings = Settings(table, False, False, MARK, False, begun)

        def edits(text: str) -> list[Edit]:
            found = list(self._marked(text, settings))
            places = tuple((at, at + 1) for _, at in found)
            return [Edit(0, len(text), "".join([new for new, _ in found]), places)]

        return Rewriting(
            lambda text: "".join([new for new, _ in self._marked(text, settings)]), edits
        )

    def published(self) -> dict[str, Any]:
        """Return SentencePiece's own normalizer, with the same settings."""
        return SentencePiece(
            self.precompiled_charsmap,
            self.add_space_prefix,
            self.remove_extra_whitespaces,
            user_defined_symbols=self.user_defined_symbols,
        ).to_json()

    def _marked(self, text: str, settings: Settings) -> Iterator[Begun]:
        prefixed, in_word, at = False, False, 0
        for length, new in matches(text, settings):
            for character in new:
                if character == " ":
                    in_word = False
                    if not self.remove_extra_whitespaces:
                        yield MARK, at
                    continue
                prefix = self.add_space_prefix and not prefixed
                if not in_word and (prefix or self.remove_extra_whitespaces):
                    prefixed = True
                    yield MARK, at
                in_word = True
                yield character, at
            at += length

    @property
    def effects(self) -> Effects:
        """State that the step marks beginnings of words, at which the model of words cuts."""
        extra = "removes extra whitespace" if self.remove_extra_whitespaces else ""
        return Effects(
            loses="maps characters to others" if self.precompiled_charsmap else extra,
            mark=MARK,
            charsmap=self.precompiled_charsmap,
            model_cuts_words=True,
        )


def _beginnings(symbols: Iterable[str]) -> re.Pattern[str] | None:
    """Return a pattern of the longest beginning of any symbol at a place.

    >>> _beginnings(["<a>", "<b"]).match("<ab").group()
    '<a'
    """
    found = {symbol[:end] for symbol in symbols for end in range(1, len(symbol) + 1)}
    longest_first = sorted(found, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first))) if longest_first else None
