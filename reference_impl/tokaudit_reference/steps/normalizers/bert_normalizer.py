"""BERT's normalizer: clean text, space out ideographs, strip accents, lower-case.

Its marks and controls are those of Unicode 8, and spacing marks are not accents to it.

Source: `BasicTokenizer` in the BERT release, and `BertNormalizer` in Hugging Face's tokenizers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from tokaudit_reference.steps.normalizers.lowercase import Lowercase
from tokaudit_reference.steps.normalizers.nfd import NFD
from tokaudit_reference.steps.normalizers.step import (
    NormalizerStep,
    Rewriting,
    character_wise,
    in_order,
)
from tokaudit_reference.steps.step import Effects
from tokaudit_reference.text.unicode_then import category
from tokaudit_reference.text.white_space import WHITE_SPACE

IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
OTHER = ("Cc", "Cf", "Co", "Cs")  # what is not assigned yet stays
SPACED_OUT = re.compile("[" + "".join(f"{chr(a)}-{chr(b)}" for a, b in IDEOGRAPHS) + "]")


CLEAN_TEXT_TABLE = "BertNormalizer.clean_text"
STRIP_ACCENTS_TABLE = "BertNormalizer.strip_accents"


@dataclass(frozen=True)
class BertNormalizer(NormalizerStep):
    """The BertNormalizer step; unstated `strip_accents` follows the case."""

    type = "BertNormalizer"
    clean_text: bool = True
    handle_chinese_chars: bool = True
    strip_accents: bool | None = None
    lowercase: bool = True
    grew: ClassVar = True

    def build(self) -> Rewriting:
        """The steps that the options switch on, in BERT's order."""
        steps: list[Rewriting] = []
        if self.clean_text:
            steps.append(character_wise(cleaned, clean))
        if self.handle_chinese_chars:
            steps.append(character_wise(space_out_ideographs, space_out_ideographs))
        if self.strips:
            steps.append(NFD().build())
            steps.append(character_wise(strip_accents, strip_accents))
        if self.lowercase:
            steps.append(Lowercase().in_version(self.library).build())
        return in_order(steps)

    @property
    def strips(self) -> bool:
        """Return whether accents are stripped."""
        return self.lowercase if self.strip_accents is None else bool(self.strip_accents)

    @property
    def effects(self) -> Effects:
        """Combine the effects of the steps that are switched on."""
        on = any((self.clean_text, self.handle_chinese_chars, self.strips, self.lowercase))
        return Effects(
            loses="drops case, accents, control characters or which space it was" if on else "",
            character_wise=not self.strips,  # decomposing sorts marks
            lower_cases=self.lowercase,
            decomposes=self.strips,
            strips_marks=self.strips,
            tables=frozenset(self._tables()),
        )

    def acts_as(self, *, ids_only: bool = False) -> BertNormalizer:
        """Return the step with `strip_accents` stated."""
        return replace(self, strip_accents=self.strips)

    def _tables(self) -> Iterator[str]:
        if self.clean_text:
            yield CLEAN_TEXT_TABLE
        if self.strips:
            yield from (NFD.type, STRIP_ACCENTS_TABLE)
        if self.lowercase:
            yield Lowercase.type


def clean(text: str) -> str:
    """Remove control characters, and make each white space a space.

    >>> clean("a\\x00b\\tc")
    'ab c'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join([cleaned(character) for character in text])


def cleaned(character: str) -> str:
    """Return a space for white space, and nothing for a character that is not for reading."""
    if character in "\t\n\r":
        return " "
    if character == "\ufffd" or category(character, 8) in OTHER:
        return ""
    return " " if character in WHITE_SPACE else character


def strip_accents(text: str) -> str:
    """The text without nonspacing marks; those that take up space stay.

    >>> strip_accents("e\u0301\u0903") == "e\u0903"
    True
    """
    if text.isascii():
        return text
    return "".join([c for c in text if category(c, 8) != "Mn"])


def space_out_ideographs(text: str) -> str:
    """Put each ideograph between two spaces."""
    return text if text.isascii() else SPACED_OUT.sub(r" \g<0> ", text)
