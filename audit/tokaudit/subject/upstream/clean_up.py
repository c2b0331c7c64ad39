"""Clean-up of spaces in decoded text, as a transformers setting enables it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tokaudit.subject.upstream.records import CLEAN_UP, hand_written


@cache
def replaced() -> Mapping[str, str]:
    """Return the replacements, in order."""
    found: Mapping[str, str] = hand_written(CLEAN_UP)["replaced"]
    return found


def cleaned_up(text: str) -> str:
    """Apply transformers' `clean_up_tokenization` to a text.

    >>> cleaned_up("I 'm here ."), cleaned_up("do n't ' a")
    ("I'm here.", "don't'a")
    """
    for spaced, close in replaced().items():
        text = text.replace(spaced, close)
    return text
