"""Pre-tokenizers that split by classes of characters: white space, words, punctuation, digits."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from functools import partial

from tokaudit_reference.alignment import Span
from tokaudit_reference.spec import SpecError
from tokaudit_reference.steps.pre_tokenizers.split import BEHAVIORS, isolated, parts, split_at
from tokaudit_reference.steps.pre_tokenizers.step import Options, Step, cutting
from tokaudit_reference.text.matching import find, find_literal
from tokaudit_reference.text.patterns import compiled
from tokaudit_reference.text.unicode_then import category
from tokaudit_reference.text.white_space import WORD

ASCII_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


def is_punctuation(character: str) -> bool:
    """ASCII's punctuation and symbols, and the punctuation of Unicode 8.

    >>> is_punctuation("$"), is_punctuation("€"), is_punctuation("。")
    (True, False, True)
    """
    if character.isascii():
        return character in ASCII_PUNCTUATION
    return category(character, 8)[0] == "P"


def is_number(character: str) -> bool:
    """Any of Unicode's three classes of numbers."""
    return unicodedata.category(character)[0] == "N"


def of_class(inside: Callable[[str], bool], text: str) -> Iterator[Span]:
    """Where the characters of a class are, each by itself."""
    return ((at, at + 1) for at, character in enumerate(text) if inside(character))


def _matches_of(pattern: str) -> Step:
    """The step that keeps the matches of a pattern and drops the rest."""
    expression = compiled(pattern)
    find_all = expression.findall
    return Step(lambda text, first: find_all(text), lambda text: [*find(expression, text)])


def _bert(options: Options) -> Step:
    words = _matches_of(r"\S+")

    def spans(text: str) -> list[Span]:
        found = []
        for begin, end in words.spans(text):
            cut = isolated(parts(of_class(is_punctuation, text[begin:end]), end - begin))
            found += [(begin + start, begin + stop) for start, stop in cut]
        return found

    return cutting(spans)


def _punctuation(options: Options) -> Step:
    behavior = str(options.get("behavior", "Isolated"))
    if behavior not in BEHAVIORS:
        raise SpecError(f"the behaviour {behavior!r} is unknown", pointer="/pre_tokenizer")
    return split_at(partial(of_class, is_punctuation), behavior)


def _digits(options: Options) -> Step:
    behavior = "Isolated" if options.get("individual_digits") else "Contiguous"
    return split_at(partial(of_class, is_number), behavior)


def _delimiter(options: Options) -> Step:
    return split_at(partial(find_literal, str(options.get("delimiter", " "))), "Removed")


def _fixed_length(options: Options) -> Step:
    length = options.get("length", 5)
    if not isinstance(length, int) or length < 1:
        raise SpecError(f"the length {length!r} is no positive number", pointer="/pre_tokenizer")

    def spans(text: str) -> list[Span]:
        return [(at, min(at + length, len(text))) for at in range(0, len(text), length)]

    return cutting(spans)


BUILDERS: dict[str, Callable[[Options], Step]] = {
    "WhitespaceSplit": lambda options: _matches_of(r"\S+"),
    "Whitespace": lambda options: _matches_of(rf"[{WORD}]+|[^{WORD}\s]+"),
    "BertPreTokenizer": _bert,
    "Punctuation": _punctuation,
    "Digits": _digits,
    "CharDelimiterSplit": _delimiter,
    "FixedLength": _fixed_length,
}
