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
from functools import cache

from tokaudit_reference.spec import AddedToken
from tokaudit_reference.text.matching import find
from tokaudit_reference.text.patterns import Expression, compiled
from tokaudit_reference.text.white_space import WHITE_SPACE

ASCII_SPACE = "\t\n\x0b\x0c\r "
SPACES = re.compile(f"[{WHITE_SPACE}]*")


@dataclass(frozen=True, slots=True)
class Found:
    """A part [start, end) of a text: an added token by its id, or what lies between two."""

    start: int
    end: int
    id: int | None = None


class Scanner:
    """Finds the tokens of a set in a text; those of `as_text` are then given as text."""

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

    def sees(self, text: str) -> bool:
        """Return whether the text may have one of the tokens; if not, `split` does not cut it."""
        return bool(self._tokens) and self._pattern.search(text) is not None

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


class LongestFirst:
    """llama.cpp's search: one token after another, the longest first, at every place.

    So a long token takes its place from a shorter one that begins earlier.  Special tokens that are
    read as text are not looked for, and of white space only that of ASCII is taken along.  Which of
    two tokens of one length goes first is not said there; here it is the lower id.

    Source: `tokenizer_st_partition` in `llama-vocab.cpp`.
    """

    def __init__(
        self,
        tokens: Iterable[AddedToken],
        as_text: Callable[[AddedToken], bool] = lambda token: False,
    ) -> None:
        wanted = [token for token in tokens if token.content and not as_text(token)]
        self._tokens = sorted(wanted, key=lambda token: (-len(token.content.encode()), token.id))

    def sees(self, text: str) -> bool:
        """Return whether the text has one of the tokens; if not, `split` does not cut it."""
        return any(token.content in text for token in self._tokens)

    def split(self, text: str) -> Iterator[Found]:
        """The parts of a text in order, nothing empty.

        >>> scanner = LongestFirst([AddedToken(1, "ab"), AddedToken(2, "bcd", rstrip=True)])
        >>> [(found.start, found.end, found.id) for found in scanner.split("abcd \u00a0e")]
        [(0, 1, None), (1, 5, 2), (5, 7, None)]
        """
        parts = [Found(0, len(text))] if text else []
        for token in self._tokens:
            if token.content in text:
                parts = [new for part in parts for new in self._without(token, text, part)]
        yield from parts

    def _without(self, token: AddedToken, text: str, part: Found) -> Iterator[Found]:
        """Yield a part with every occurrence of a token in it set apart."""
        at, end = part.start, part.end
        found = text.find(token.content, at, end) if part.id is None else -1
        while found >= 0:
            start, stop = found, found + len(token.content)
            if token.lstrip:
                start = at + len(text[at:start].rstrip(ASCII_SPACE))
            if token.rstrip:
                stop = end - len(text[stop:end].lstrip(ASCII_SPACE))
            if at < start:
                yield Found(at, start)
            yield Found(start, stop, token.id)
            at = stop
            found = text.find(token.content, at, end)
        if at < end:
            yield Found(at, end, part.id)


def _with_spaces(token: AddedToken, text: str, start: int, end: int, at: int) -> tuple[int, int]:
    """Extend the match by the white space that it takes along, but not before `at`."""
    if token.lstrip:
        start = max(at, len(text[:start].rstrip(WHITE_SPACE)))
    if token.rstrip:
        spaces = SPACES.match(text, end)
        end = spaces.end() if spaces else end
    return start, end


def _inside_word(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    word_character = _word_character()
    return bool(word_character.fullmatch(before) or word_character.fullmatch(after))


@cache
def _word_character() -> Expression:
    """Compile the class of word characters on first use: it takes longer than all imports here."""
    return compiled(r"\w", rust=True)
