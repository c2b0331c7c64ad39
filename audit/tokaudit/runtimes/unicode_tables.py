r"""Code points whose Unicode tables differ between a library and us, as excuses.

Nothing is typed in.  Which tables a tokenizer consults follows from its own components (`NFC`,
`\p{L}` in a split pattern, ...), and the upstream library is asked about those tables alone, for
the characters of the texts that matter.  A version whose tables the reference has excuses nothing.
A code point that was in Unicode 3.2 already, and has had the same category and decomposition since,
has not changed between the two versions: a difference on it is a rule or a fault of one side, and
excuses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol
from unicodedata import category, combining, decomposition
from unicodedata import ucd_3_2_0 as oldest

import regex

from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.text.patterns.classes import WORD_CLASS
from tokaudit_reference.text.white_space import WHITE_SPACE_TABLE


class Asked(Protocol):
    """A library whose tables can be tested."""

    def tables(self, names: list[str], characters: str, /) -> dict[str, frozenset[int]]:
        """Return for each table the characters on which it differs from ours."""
        ...


class Excuses:
    """Excused characters by table, for one tokenizer and library version."""

    def __init__(self, by_table: Mapping[str, Iterable[int]]) -> None:
        found = {name: filter(may_have_changed, codes) for name, codes in by_table.items()}
        self.by_table = {name: frozenset(map(chr, codes)) for name, codes in found.items()}
        self.all = frozenset[str]().union(*self.by_table.values())

    def tables_of(self, text: str) -> list[str]:
        """Return the tables that excuse a character of the text."""
        return [name for name, excused in self.by_table.items() if not excused.isdisjoint(text)]

    def without(self, text: str, instead: str = "") -> str:
        """Replace each excused character of the text.

        >>> Excuses({"NFC": [0x1E94B]}).without("a\\U0001e94bb", "-")
        'a-b'
        """
        return "".join(instead if character in self.all else character for character in text)


def excuses(spec: TokenizerSpec, upstream: Asked, characters: str) -> Excuses:
    """Test the library's tables that a tokenizer uses, on some characters."""
    return Excuses(upstream.tables(sorted(tables_used(spec)), characters))


def all_characters() -> str:
    """Return every scalar value that may have a character."""
    planes = (range(0xD800), range(0xE000, 0x40000), range(0xE0000, 0xF0000))
    return "".join(chr(code) for plane in planes for code in plane)


def may_have_changed(code: int) -> bool:
    """Return whether another Unicode version may treat a code point differently.

    Categories may have changed since the version of this Python too: `regex` has newer tables.

    >>> may_have_changed(0xB2), may_have_changed(0x1E94B)
    (False, True)
    """
    character = chr(code)
    if regex.match(rf"\p{{{oldest.category(character)}}}", character) is None:
        return True
    facts = category, combining, decomposition
    before = oldest.category, oldest.combining, oldest.decomposition
    return oldest.category(character) == "Cn" or any(
        now(character) != then(character) for now, then in zip(facts, before, strict=True)
    )


def tables_used(spec: TokenizerSpec) -> frozenset[str]:
    """Return the names of Unicode tables that a tokenizer's components use."""
    found: set[str] = set()
    for step in (*spec.normalizer.steps, *spec.pre_tokenizer.steps):
        found |= step.effects.tables
    if any(token.single_word for token in spec.added_tokens):
        found.add(WORD_CLASS)
    if any(token.lstrip or token.rstrip for token in spec.added_tokens):
        found.add(WHITE_SPACE_TABLE)
    return frozenset(found)
