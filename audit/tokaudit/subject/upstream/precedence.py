"""Precedence of files and keys in transformers, one record for each kind of value."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tokaudit.subject.upstream.records import PRECEDENCE, hand_written

FIRST = "first_of"


@cache
def precedences() -> Mapping[str, tuple[str, ...]]:
    """Map each kind of value to its files or keys, in order of precedence.

    >>> precedences()["stop"]
    ('generation_config.json', 'config.json')
    """
    return {what: tuple(order) for what, order in hand_written(PRECEDENCE)[FIRST].items()}


def first_of(what: str) -> tuple[str, ...]:
    """Return the files or keys for a kind of value; empty if unknown."""
    return precedences().get(what, ())
