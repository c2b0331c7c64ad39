r"""Compiles the split patterns of the libraries, minding where the dialects differ.

`oniguruma` reads the dialect of Hugging Face's tokenizers and `rust` that of tiktoken; either
writes for `regex` what the engine means, and refuses what it does not know exactly.  A pattern
that `regex` does not take is refused too.

`regex` says what a pattern means.  The standard `re` runs it about twice as fast with its classes
spelled out, so it gets the texts on which both are the same by construction.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import regex

from tokaudit_reference.spec import SpecError
from tokaudit_reference.text.matching import find
from tokaudit_reference.text.patterns import oniguruma
from tokaudit_reference.text.patterns import rust as rust_dialect
from tokaudit_reference.text.patterns.standard import standard

BEYOND_THE_PLANE = re.compile("[\U00010000-\U0010ffff]")


class Expression:
    """A compiled pattern: `regex` for any text, `re` for those within the basic plane."""

    def __init__(self, anywhere: Any, within_the_plane: Any) -> None:
        self.anywhere, self.within_the_plane = anywhere, within_the_plane

    def for_text(self, text: str) -> Any:
        """The engine's own pattern object that is right for this text, and quickest."""
        if not text.isascii() and BEYOND_THE_PLANE.search(text):
            return self.anywhere
        return self.within_the_plane

    def findall(self, text: str) -> list[Any]:
        """All matches, as of `re`."""
        return self.for_text(text).findall(text)  # type: ignore[no-any-return]

    def pieces(self, text: str) -> list[str]:
        """The text cut at the matches: they and what lies between, none of them empty."""
        found: list[str]
        if not self.anywhere.groups:
            found = self.findall(text)
            if all(found) and sum(map(len, found)) == len(text):
                return found
        found, at = [], 0
        for start, end in find(self, text):
            found += text[at:start], text[start:end]
            at = end
        return list(filter(None, [*found, text[at:]]))

    def finditer(self, text: str, at: int = 0, /) -> Any:
        """The match objects of all matches from a place on."""
        return self.for_text(text).finditer(text, at)

    def fullmatch(self, text: str) -> Any:
        """The match object of the whole text, or None."""
        return self.for_text(text).fullmatch(text)

    def sub(self, replacement: str | Callable[[Any], str], text: str) -> str:
        """The text with every match replaced."""
        return self.for_text(text).sub(replacement, text)  # type: ignore[no-any-return]

    def split(self, text: str) -> list[Any]:
        """What lies between the matches, and the groups."""
        return self.for_text(text).split(text)  # type: ignore[no-any-return]


@lru_cache(maxsize=256)
def compiled(pattern: str, *, rust: bool = False, python: bool = False) -> Expression:
    """A pattern of Hugging Face's tokenizers (Oniguruma), of tiktoken (`rust`), or of `regex`.

    >>> compiled(r"\\s").fullmatch("\\x1c") is None
    True
    >>> compiled(r"\\p{L}+|\\s+").findall("naïve  λόγος")
    ['naïve', '  ', 'λόγος']
    >>> compiled(r"\\d").pieces("abc1")
    ['abc', '1']
    """
    if python:
        meaning = pattern
    else:
        meaning = (rust_dialect if rust else oniguruma).translated(pattern)
    try:
        anywhere = regex.compile(meaning, 0 if rust or python else regex.MULTILINE)
    except regex.error as error:
        raise SpecError(f"the pattern {pattern[:80]!r} does not compile: {error}") from error
    quick = None if python else _within_the_plane(meaning, rust)
    return Expression(anywhere, quick or anywhere)


def _within_the_plane(meaning: str, rust: bool) -> re.Pattern[str] | None:
    """The pattern in `re`, if it has one: not, for example, a lookbehind of any width."""
    spelled_out = standard(meaning)
    if spelled_out is None:
        return None
    try:
        return re.compile(spelled_out, 0 if rust else re.MULTILINE)
    except (re.error, RecursionError, OverflowError):
        return None
