r"""llama.cpp's splits: a list of patterns, each of which cuts the pieces that the one before left.

It knows no properties of Unicode in a pattern.  Where one is named, the text is collapsed to one
letter for each character before the pattern is matched: ASCII stays, white space is a line
tabulation, and any other character is a letter for its class of five (numbers, letters,
punctuation, marks, symbols) or for none.  So `\p{Lu}` is every letter.  A pattern that names no
property sees the text itself.

Source: `unicode_regex_split` in llama.cpp's `unicode.cpp`.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tokaudit_reference.errors import SpecError
from tokaudit_reference.steps.pattern import Pattern
from tokaudit_reference.steps.pre_tokenizers.split import Split
from tokaudit_reference.steps.pre_tokenizers.step import Cutting, PreTokenizerStep, cutting
from tokaudit_reference.steps.sequence import sequence
from tokaudit_reference.steps.step import Effects, Options
from tokaudit_reference.text.alignment import Span
from tokaudit_reference.text.llama_cpp_unicode import is_space, kind

PROPERTY = re.compile(r"\\p\{(\w+)\}")
BLANK, NO_CLASS = "\x0b", "\xd0"
LETTER = {"N": "\xd1", "L": "\xd2", "P": "\xd3", "M": "\xd4", "S": "\xd5"}
OF_ASCII = {
    "N": "0-9",
    "L": "A-Za-z",
    "P": r"!-#%-*,-/:-;?-@\[-\]_\{\}",
    "M": "",
    "S": r"\$\+<->\^`\|~",
}


@dataclass(frozen=True)
class LlamaCppSplit(PreTokenizerStep):
    """The step; `meant` are the corresponding patterns of `tokenizer.json`."""

    type = "LlamaCppSplit"
    patterns: tuple[str, ...] = ()
    meant: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, options: Options) -> LlamaCppSplit:
        """Take the patterns, which are parsed when they run."""
        own, meant = (tuple(map(str, options.get(name) or ())) for name in ("patterns", "meant"))
        return cls(own, meant)

    def to_json(self) -> dict[str, Any]:
        """The patterns as lists."""
        return {"type": self.type, "patterns": [*self.patterns], "meant": [*self.meant]}

    def build(self) -> Cutting:
        """The cutting by one pattern after another."""
        finders = [finder(pattern) for pattern in self.patterns]

        def spans(text: str) -> list[Span]:
            found = [(0, len(text))] if text else []
            for find in finders:
                found = [part for span in found for part in _parted(find, text, span)]
            return found

        return cutting(spans)

    def published(self) -> dict[str, Any] | None:
        """Return the corresponding splits of `tokenizer.json`."""
        meant = [Split(Pattern(each, is_regex=True)).to_json() for each in self.meant]
        return sequence("pre_tokenizer", meant)

    @property
    def effects(self) -> Effects:
        """State that the step cuts and drops nothing, by the engine's own tables."""
        return Effects(cuts_words=True)


Find = Callable[[str], list[Span]]


def _parted(find: Find, text: str, span: Span) -> list[Span]:
    """Return the matches in one piece, and the parts between them."""
    start, end = span
    found, at = [], start
    for first, last in find(text[start:end]):
        if start + first > at:
            found.append((at, start + first))
        if last > first:
            found.append((start + first, start + last))
        at = start + last
    if at < end:
        found.append((at, end))
    return found


@lru_cache(maxsize=256)
def finder(pattern: str) -> Find:
    r"""Return a function that finds the matches of a pattern, from left to right.

    >>> finder(r"\p{Lu}+")("aé 가~"), finder(r"[\p{P}\p{S}]")("~→")
    ([(0, 2), (3, 4)], [(0, 1), (1, 2)])
    """
    by_class = PROPERTY.search(pattern) is not None
    expression = _compiled(_collapsed_pattern(pattern) if by_class else pattern)
    shown = collapsed if by_class else blanked
    return lambda text: [match.span() for match in expression.finditer(shown(text))]


def collapsed(text: str) -> str:
    r"""One letter for each character.

    >>> collapsed("a\u00a0é٣")
    'a\x0bÒÑ'
    """
    return text if text.isascii() else "".join(map(_collapsed, text))


def blanked(text: str) -> str:
    """The text with one blank for any white space beyond ASCII."""
    if text.isascii():
        return text
    return "".join([BLANK if c > "\x7f" and is_space(c) else c for c in text])


@lru_cache(maxsize=65_536)
def _collapsed(character: str) -> str:
    if character < "\x80":
        return character
    return BLANK if is_space(character) else LETTER.get(kind(character), NO_CLASS)


def _collapsed_pattern(pattern: str) -> str:
    """The pattern with a set of letters for each property; within a set it has no brackets."""
    found, at, inside = [], 0, False
    while at < len(pattern):
        named = PROPERTY.match(pattern, at)
        if named is not None and named[1][0] in LETTER:
            letters = LETTER[named[1][0]] + OF_ASCII[named[1][0]]
            found.append(letters if inside else f"[{letters}]")
            at = named.end()
            continue
        escaped = at > 0 and pattern[at - 1] == "\\"
        inside = (pattern[at] == "[" or inside) and not (pattern[at] == "]" and not escaped)
        found.append(pattern[at])
        at += 1
    return "".join(found)


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # a bracket within a set
            return re.compile(pattern, re.ASCII)
    except re.error as error:
        raise SpecError(f"a pattern that is not read: {error}", pointer="/pre_tokenizer") from error
