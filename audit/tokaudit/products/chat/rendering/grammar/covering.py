"""Conversations of the grammar that cover all pairs of values."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files

from tokaudit.products.chat.rendering.grammar.building import ShapedConversation, built
from tokaudit.products.chat.rendering.grammar.features import Choice

TABLE = "pairs.csv"
MOST = 240  # conversations


@cache
def shaped_conversations() -> tuple[ShapedConversation, ...]:
    """Build a conversation for each row of the table, in order.

    >>> len(shaped_conversations()) <= MOST
    True
    """
    return tuple(map(built, choices()))


def choices() -> tuple[Choice, ...]:
    """Read the rows of the table: a value for each feature."""
    text = files(__package__).joinpath(TABLE).read_text(encoding="utf-8")
    return tuple(csv.DictReader(text.splitlines()))
