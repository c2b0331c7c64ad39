"""Texts of a template that have the letters of an added token, and are another text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

BRACKETED = re.compile(r"[<\[]{1,2}[|｜]?/?[\w▁.:-]{2,40}[|｜]?[>\]]{1,2}")
BARE = re.compile(r"[\W_▁｜]+")
LEAST_LETTERS = 3  # of fewer, two markers may be meant


def misspelled(text: str, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Each marker of a text that is not a token, with the token that has its letters.

    >>> list(misspelled("<|im_start>user<|im_end|>", ["<|im_start|>", "<|im_end|>"]))
    [('<|im_start>', '<|im_start|>')]
    >>> list(misspelled("<tool_call>x</tool_call>", ["<|tool_call|>"]))  # both ends: a tag of text
    []
    """
    by_letters = {_letters(each): each for each in known if BRACKETED.fullmatch(each)}
    found = dict.fromkeys(BRACKETED.findall(text))
    for marker in found:
        meant = by_letters.get(_letters(marker))
        inside = any(marker in token for token in known)
        if meant is None or inside or len(_letters(marker).lstrip("/")) < LEAST_LETTERS:
            continue
        if not _has_other_end(marker, found):
            yield marker, meant


def _letters(marker: str) -> str:
    """Letters and digits alone, with the mark of an end."""
    end = "/" if marker.lstrip("<[|｜").startswith("/") else ""
    return end + BARE.sub("", marker).casefold()


def _has_other_end(marker: str, found: Collection[str]) -> bool:
    own = _letters(marker)
    other = own[1:] if own.startswith("/") else f"/{own}"
    return any(_letters(each) == other for each in found)
