r"""Compiles the split patterns of the libraries, minding where the dialects differ.

`oniguruma` reads the dialect of Hugging Face's tokenizers and `rust` that of tiktoken; either
writes for `regex` what the engine means, and refuses what it does not know exactly.  A pattern
that `regex` does not take is refused too.

`regex` says what a pattern means, with classes as the libraries know them (`unicode_tables`): a
text with a character that it classes otherwise gets the pattern with its classes amended.
The standard `re` runs it about twice as fast with its classes spelled out, so it gets the texts on
which both are the same by construction.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import Any

import regex

from tokaudit_reference.spec import SpecError
from tokaudit_reference.text.matching import find
from tokaudit_reference.text.patterns import oniguruma
from tokaudit_reference.text.patterns import rust as rust_dialect
from tokaudit_reference.text.patterns.standard import standard
from tokaudit_reference.text.unicode_tables import as_known, delta, meets_delta

BEYOND_THE_PLANE = re.compile("[\U00010000-\U0010ffff]")


class Expression:
    """A compiled pattern: `regex` for any text, `re` for those within the basic plane.

    `native` has the classes of `regex`, and is right for a text without a character of the delta.
    `meaning` is what `native` was compiled from, with these flags; None where it is itself meant.
    """

    def __init__(
        self, native: Any, within_the_plane: Any, meaning: str | None = None, flags: int = 0
    ) -> None:
        self.native, self.within_the_plane = native, within_the_plane
        self._meaning, self._flags = meaning, flags

    @cached_property
    def anywhere(self) -> Any:
        """The pattern object that is right for every text."""
        if self._meaning is None or not delta():
            return self.native
        written = as_known(self._meaning)
        return self.native if written == self._meaning else regex.compile(written, self._flags)

    def for_text(self, text: str) -> Any:
        """The engine's own pattern object that is right for this text, and quickest."""
        if text.isascii():
            return self.within_the_plane
        if self._meaning is not None and meets_delta(text):
            return self.anywhere
        return self.native if BEYOND_THE_PLANE.search(text) else self.within_the_plane

    def findall(self, text: str) -> list[Any]:
        """All matches, as of `re`."""
        return self.for_text(text).findall(text)  # type: ignore[no-any-return]

    def pieces(self, text: str) -> list[str]:
        """Cut the text at the matches: matches and the parts between, none of them empty."""
        found: list[str]
        if not self.native.groups:
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
        """Return the parts between the matches, and the groups."""
        return self.for_text(text).split(text)  # type: ignore[no-any-return]


@lru_cache(maxsize=256)
def compiled(pattern: str, *, rust: bool = False, python: bool = False) -> Expression:
    """Compile a pattern of Hugging Face's tokenizers, tiktoken (`rust`), or `regex`.

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
    flags = 0 if rust or python else regex.MULTILINE
    try:
        native = regex.compile(meaning, flags)
    except regex.error as error:
        raise SpecError(f"the pattern {pattern[:80]!r} does not compile: {error}") from error
    quick = None if python else _within_the_plane(meaning, rust)
    return Expression(native, quick or native, None if python else meaning, flags)


def _within_the_plane(meaning: str, rust: bool) -> re.Pattern[str] | None:
    """Compile for `re` if possible: a lookbehind of variable width, for one, is not."""
    spelled_out = standard(meaning)
    if spelled_out is None:
        return None
    try:
        return re.compile(spelled_out, 0 if rust else re.MULTILINE)
    except (re.error, RecursionError, OverflowError):
        return None
