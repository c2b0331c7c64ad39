"""The keys of settings files whose statements are facts, with what loaders take there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tokaudit.subject.upstream.records import STATED, hand_written

NULL = "null"


@cache
def taken_kinds() -> Mapping[str, tuple[str, ...]]:
    """The kinds of values that loaders take, by the key.

    >>> taken_kinds()["pad_token"], taken_kinds()["vocab_size"]
    (('text', 'object', 'null'), ('number',))
    """
    return {key: tuple(kinds) for key, kinds in hand_written(STATED)["takes"].items()}
