"""Digits: a text cut around its numbers, or around each of their digits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from tokaudit_reference.steps.pre_tokenizers.classes import of_class
from tokaudit_reference.steps.pre_tokenizers.split import split_at
from tokaudit_reference.steps.pre_tokenizers.step import Cutting, PreTokenizerStep
from tokaudit_reference.steps.step import Effects
from tokaudit_reference.text.older_tables import not_yet
from tokaudit_reference.text.patterns import compiled
from tokaudit_reference.text.unicode_tables import table

NUMBER = compiled(r"\p{N}", rust=True)


def is_number(character: str) -> bool:
    """Return whether a character is in one of Unicode's three classes of numbers."""
    if character.isascii():
        return "0" <= character <= "9"
    return character in table().numbers or NUMBER.fullmatch(character) is not None


@dataclass(frozen=True)
class Digits(PreTokenizerStep):
    """The Digits step; a number is one piece unless each digit is to be one."""

    type = "Digits"
    grew: ClassVar = True
    individual_digits: bool = False

    def build(self) -> Cutting:
        """The cutting around numbers."""
        left = not_yet(self.library, self.type)
        inside = (lambda each: each not in left and is_number(each)) if left else is_number
        behavior = "Isolated" if self.individual_digits else "Contiguous"
        return split_at(partial(of_class, inside), behavior)

    @property
    def effects(self) -> Effects:
        """State that the step only cuts."""
        return Effects(stays_in_alphabet=True, tables=frozenset({self.type}))
