"""The file, or key, of several that a version of transformers takes: a record for each thing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tokaudit.subject.upstream.records import PRECEDENCE, hand_written

FIRST = "first_of"


@cache
def precedences() -> Mapping[str, tuple[str, ...]]:
    """The files or keys of each thing that several state, the one that goes first in front.

    >>> precedences()["stop"]
    ('generation_config.json', 'config.json')
    """
    return {what: tuple(order) for what, order in hand_written(PRECEDENCE)[FIRST].items()}


def first_of(what: str) -> tuple[str, ...]:
    """The files or keys that state one thing; none where no record knows it."""
    return precedences().get(what, ())
