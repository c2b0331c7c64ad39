"""Finds added tokens in text before the model runs: leftmost, then longest.

Two passes, as Hugging Face's tokenizers does it: tokens with `normalized=False` on the raw text;
then those with `normalized=True`, themselves normalized, on the normalized remainder.  It only
finds them: nothing is normalized or encoded here.

Source: `AddedVocabulary` in Hugging Face's tokenizers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import regex

from tokaudit_reference.spec import AddedToken
from tokaudit_reference.text.matching import find
from tokaudit_reference.text.white_space import WHITE_SPACE, WORD

WORD_CHARACTER = regex.compile(f"[{WORD}]")
SPACES = re.compile(f"[{WHITE_SPACE}]*")


@dataclass(frozen=True, slots=True)
class Found:
    """A part [start, end) of a text: an added token by its id, or what lies between two."""

    start: int
    end: int
    id: int | None = None


class Scanner:
    """Looks for a set of tokens by their contents; `as_text` are found and then read as text."""

    def __init__(
        self,
        tokens: Iterable[AddedToken],
        content: Callable[[str], str] = str,
        as_text: Callable[[AddedToken], bool] = lambda token: False,
    ) -> None:
        self._as_text = as_text
        listed = sorted(tokens, key=lambda token: not token.special)  # special ones go first
        flags = {token.id: token for token in listed}  # the last one of an id
        self._tokens: dict[str, AddedToken] = {}
        for token in listed:
            if token.content:
                self._tokens.setdefault(content(token.content), flags[token.id])
        longest_first = sorted(self._tokens, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)))

    def split(self, text: str) -> Iterator[Found]:
        """The parts of a text in order, nothing empty.

        >>> scanner = Scanner([AddedToken(7, "<e>", rstrip=True)])
        >>> [(found.start, found.end, found.id) for found in scanner.split("a<e>  b")]
        [(0, 1, None), (1, 6, 7), (6, 7, None)]
        """
        at = 0
        for match_start, match_end in find(self._pattern, text) if self._tokens else ():
            token = self._tokens[text[match_start:match_end]]
            if self._as_text(token):
                continue
            if token.single_word and _inside_word(text, match_start, match_end):
                continue
            start, end = _with_spaces(token, text, match_start, match_end, at)
            if at < start:
                yield Found(at, start)
            if start < end:
                yield Found(start, end, token.id)
            at = end
        if at < len(text):
            yield Found(at, len(text))


def _with_spaces(token: AddedToken, text: str, start: int, end: int, at: int) -> tuple[int, int]:
    """The match and the white space that it takes along, but none before `at`."""
    if token.lstrip:
        start = max(at, len(text[:start].rstrip(WHITE_SPACE)))
    if token.rstrip:
        spaces = SPACES.match(text, end)
        end = spaces.end() if spaces else end
    return start, end


def _inside_word(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    return bool(WORD_CHARACTER.match(before) or WORD_CHARACTER.match(after))
