"""Finds added tokens in text before the model runs: leftmost, then longest.

Two passes, as Hugging Face's tokenizers does it: tokens with `normalized=False` on the raw text;
then those with `normalized=True`, themselves normalized, on the normalized remainder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import regex

from tokaudit_reference.spec import AddedToken

WORD = regex.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of text between added tokens, or the id of one; `start` is where it begins."""

    text: str
    start: int
    id: int | None = None


class Scanner:
    """Looks for a set of tokens, by their contents."""

    def __init__(self, tokens: Iterable[AddedToken], content: Callable[[str], str]) -> None:
        named = {content(token.content): token for token in tokens}
        self._tokens: Mapping[str, AddedToken] = {k: t for k, t in named.items() if k}
        longest_first = sorted(self._tokens, key=len, reverse=True)
        self._pattern = regex.compile("|".join(map(regex.escape, longest_first)))

    def split(self, text: str) -> Iterator[Segment]:
        """The text as segments, added tokens among them, nothing empty.

        >>> scanner = Scanner([AddedToken(7, "<e>", rstrip=True)], str)
        >>> [(s.text, s.id) for s in scanner.split("a<e>  b")]
        [('a', None), ('<e>  ', 7), ('b', None)]
        """
        at = 0
        for match in self._pattern.finditer(text) if self._tokens else ():
            token = self._tokens[match.group()]
            start, end = match.span()
            if start < at or (token.single_word and _inside_word(text, start, end)):
                continue
            if token.lstrip:
                start = max(at, len(text[:start].rstrip()))
            if token.rstrip:
                end += len(text[end:]) - len(text[end:].lstrip())
            if at < start:
                yield Segment(text[at:start], at)
            yield Segment(text[start:end], start, token.id)
            at = end
        if at < len(text):
            yield Segment(text[at:], at)


def _inside_word(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    return bool(WORD.match(before) or WORD.match(after))
