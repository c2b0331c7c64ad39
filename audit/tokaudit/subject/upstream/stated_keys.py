"""Settings keys that become facts, with the types that loaders accept."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tokaudit.subject.upstream.records import STATED, hand_written

NULL = "null"


@cache
def taken_kinds() -> Mapping[str, tuple[str, ...]]:
    """Return the types that loaders accept, by key.

    >>> taken_kinds()["pad_token"], taken_kinds()["vocab_size"]
    (('text', 'object', 'null'), ('number',))
    """
    return {key: tuple(kinds) for key, kinds in hand_written(STATED)["takes"].items()}
