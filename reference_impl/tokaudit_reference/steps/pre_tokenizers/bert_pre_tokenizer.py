"""BertPreTokenizer: the parts between white space, with each punctuation mark by itself."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit_reference.steps.pre_tokenizers.classes import is_punctuation, matches_of, of_class
from tokaudit_reference.steps.pre_tokenizers.punctuation import Punctuation
from tokaudit_reference.steps.pre_tokenizers.split import isolated, parts
from tokaudit_reference.steps.pre_tokenizers.step import Cutting, PreTokenizerStep, cutting
from tokaudit_reference.steps.step import Effects
from tokaudit_reference.text.alignment import Span
from tokaudit_reference.text.white_space import WHITE_SPACE_TABLE


@dataclass(frozen=True)
class BertPreTokenizer(PreTokenizerStep):
    """The BertPreTokenizer step, which has no options."""

    type = "BertPreTokenizer"

    def build(self) -> Cutting:
        """Words and punctuation marks."""
        words = matches_of(r"\S+")

        def spans(text: str) -> list[Span]:
            found = []
            for begin, end in words.spans(text):
                cut = isolated(parts(of_class(is_punctuation, text[begin:end]), end - begin))
                found += [(begin + start, begin + stop) for start, stop in cut]
            return found

        return cutting(spans)

    @property
    def effects(self) -> Effects:
        """State that the step drops white space."""
        return Effects(
            loses="drops white space",
            stays_in_alphabet=True,
            cuts_words=True,
            tables=frozenset({WHITE_SPACE_TABLE, Punctuation.type}),
        )
