"""Cutting by classes of characters, which several pre-tokenizers share."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tokaudit_reference.steps.pre_tokenizers.step import Cutting
from tokaudit_reference.text.alignment import Span
from tokaudit_reference.text.matching import find
from tokaudit_reference.text.patterns import compiled
from tokaudit_reference.text.unicode_then import category

ASCII_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


def is_punctuation(character: str) -> bool:
    """Return whether a character is ASCII punctuation or symbol, or Unicode 8 punctuation.

    >>> is_punctuation("$"), is_punctuation("€"), is_punctuation("。")
    (True, False, True)
    """
    if character.isascii():
        return character in ASCII_PUNCTUATION
    return category(character, 8)[0] == "P"


def of_class(inside: Callable[[str], bool], text: str) -> Iterator[Span]:
    """Yield the places of the characters of a class, each by itself."""
    return ((at, at + 1) for at, character in enumerate(text) if inside(character))


def matches_of(pattern: str) -> Cutting:
    """The cutting that keeps the matches of a pattern and drops the rest."""
    expression = compiled(pattern)
    find_all = expression.findall
    return Cutting(lambda text, first: find_all(text), lambda text: [*find(expression, text)])
