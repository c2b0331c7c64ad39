"""The languages of the built-in samples put together by script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from tokaudit.products.compare.replacing.counts import DocumentTokens, Sizes, Texts
from tokaudit.products.compare.replacing.figures import Documents

SCRIPT = "script"


def script_of(language: str) -> str:
    """The script of a language by its key.

    >>> script_of("deu_Latn")
    'Latn'
    """
    return language.rpartition("_")[2]


def by_script(found: Sequence[Documents]) -> Iterator[Documents]:
    """The documents of languages, put together by script, in the order of their codes."""
    ordered = sorted(found, key=lambda each: script_of(each.texts.key))
    for code, group in groupby(ordered, key=lambda each: script_of(each.texts.key)):
        yield _together(code, list(group))


def _together(code: str, found: Sequence[Documents]) -> Documents:
    many = f"{len(found)} languages" if found[1:] else found[0].texts.name
    spaced = all(each.texts.spaced for each in found)
    sizes = Sizes()
    sides = DocumentTokens(), DocumentTokens()
    for each in found:
        sizes.bytes.extend(each.sizes.bytes)
        sizes.words.extend(each.sizes.words)
        for side, more in zip(sides, (each.left, each.right), strict=True):
            side.tokens.extend(more.tokens)
            side.parts.extend(more.parts)
            side.lost += more.lost
            side.characters += more.characters
    return Documents(Texts(SCRIPT, code, f"{code} ({many})", spaced), sizes, *sides)
