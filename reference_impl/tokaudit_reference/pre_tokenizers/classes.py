"""Pre-tokenizers that split by classes of characters: white space, words, punctuation, digits."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from tokaudit_reference.patterns import compiled
from tokaudit_reference.pre_tokenizers.split import BEHAVIORS, Part, contiguous, isolated

Step = Callable[[str, bool], list[str]]
Options = Mapping[str, Any]
ASCII_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


def is_punctuation(character: str) -> bool:
    """ASCII's punctuation and symbols, and Unicode's punctuation.

    >>> is_punctuation("$"), is_punctuation("€"), is_punctuation("。")
    (True, False, True)
    """
    if character.isascii():
        return character in ASCII_PUNCTUATION
    return unicodedata.category(character)[0] == "P"


def is_number(character: str) -> bool:
    """Any of Unicode's three classes of numbers."""
    return unicodedata.category(character)[0] == "N"


def by_class(text: str, inside: Callable[[str], bool]) -> list[Part]:
    """Each character of the class as a delimiter of its own, runs of others between."""
    parts: list[Part] = []
    for character in text:
        if inside(character) or not parts or parts[-1][1]:
            parts.append((character, inside(character)))
        else:
            parts[-1] = parts[-1][0] + character, False
    return parts


def _white_space_split(options: Options) -> Step:
    expression = compiled(r"\S+")
    return lambda text, first: expression.findall(text)


def _whitespace(options: Options) -> Step:
    expression = compiled(r"\w+|[^\w\s]+")
    return lambda text, first: expression.findall(text)


def _bert(options: Options) -> Step:
    expression = compiled(r"\S+")

    def apply(text: str, first: bool) -> list[str]:
        words = expression.findall(text)
        return [part for word in words for part in isolated(by_class(word, is_punctuation))]

    return apply


def _punctuation(options: Options) -> Step:
    join = BEHAVIORS[str(options.get("behavior", "Isolated"))]
    return lambda text, first: join(by_class(text, is_punctuation))


def _digits(options: Options) -> Step:
    join = isolated if options.get("individual_digits") else contiguous
    return lambda text, first: join(by_class(text, is_number))


def _delimiter(options: Options) -> Step:
    delimiter = str(options.get("delimiter", " "))
    return lambda text, first: text.split(delimiter)


BUILDERS: dict[str, Callable[[Options], Step]] = {
    "WhitespaceSplit": _white_space_split,
    "Whitespace": _whitespace,
    "BertPreTokenizer": _bert,
    "Punctuation": _punctuation,
    "Digits": _digits,
    "CharDelimiterSplit": _delimiter,
}
