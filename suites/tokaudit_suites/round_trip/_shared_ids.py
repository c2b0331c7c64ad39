"""Texts that have the ids of the same text with a space more or less before it.

This is not a check: it asks the library about pairs of texts of which only one can come back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokaudit.plugin import EncoderOutOfTime, Encoding, Upstream

MOST = 200  # texts of which the other is asked
Pair = tuple[str, str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class SharedIds:
    """The pairs of texts with their ids, and of how many texts another was asked."""

    pairs: tuple[Pair, ...]
    asked: int


def sharing_ids(upstream: Upstream, answers: Sequence[tuple[str, Encoding]]) -> SharedIds:
    """The texts out of an even part of all whose ids another text has too."""
    encoded = [(text, each) for text, each in answers if text and each.error is None]
    part = encoded[:: len(encoded) // MOST + 1]
    others = [with_other_start(text) for text, _ in part]
    try:
        found = upstream.encode(others)
    except EncoderOutOfTime:
        return SharedIds((), 0)
    pairs = (
        (text, other, mine.ids)
        for (text, mine), other, its in zip(part, others, found, strict=True)
        if its.error is None and other and tuple(mine.ids) == tuple(its.ids)
    )
    return SharedIds(tuple(pairs), len(part))


def with_other_start(text: str) -> str:
    """The text without its first space, or with one.

    >>> with_other_start("a"), with_other_start(" a")
    (' a', 'a')
    """
    return text[1:] if text.startswith(" ") else " " + text
