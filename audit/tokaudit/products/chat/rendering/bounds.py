"""Limits on single operations of a template; the worker limits time and memory."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any

LONGEST_TEMPLATE = 1_000_000  # characters; the longest published one has about 30,000
LONGEST_TEXT = 4_000_000  # characters of one rendered conversation
LARGEST_TOTAL = 32_000_000  # characters of all that is rendered for one request
MOST_BITS = 1_000_000  # of the result of a power


class TooMuch(Exception):
    """Raised if a template exceeds a limit."""


def refuse_large(operator: str, left: Any, right: Any) -> None:
    """Raise `TooMuch` for a repetition or power with a too large result.

    >>> refuse_large("*", "ab", 3)
    >>> refuse_large("**", 9, 9**9)
    Traceback (most recent call last):
    ...
    tokaudit.products.chat.rendering.bounds.TooMuch: a power of more than 1,000,000 bits
    """
    if operator == "**" and isinstance(left, int) and isinstance(right, int):
        if left.bit_length() * right > MOST_BITS:
            raise TooMuch(f"a power of more than {MOST_BITS:,} bits")
    elif operator == "*":
        for repeated, times in ((left, right), (right, left)):
            _refuse_repeated(repeated, times)


def _refuse_repeated(repeated: Any, times: Any) -> None:
    if not isinstance(times, int):
        return
    if isinstance(repeated, Sized) and len(repeated) * times > LONGEST_TEXT:
        raise TooMuch(f"a repetition of more than {LONGEST_TEXT:,} items")
    if isinstance(repeated, int) and times.bit_length() + repeated.bit_length() > MOST_BITS:
        raise TooMuch(f"a product of more than {MOST_BITS:,} bits")
