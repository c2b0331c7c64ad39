"""The clean-up by which transformers takes spaces out of decoded text where a setting asks."""

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
    """A text as `clean_up_tokenization` of transformers leaves it.

    >>> cleaned_up("I 'm here ."), cleaned_up("do n't ' a")
    ("I'm here.", "don't'a")
    """
    for spaced, close in replaced().items():
        text = text.replace(spaced, close)
    return text
