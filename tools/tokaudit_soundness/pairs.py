"""Draws pairs of tokenizers: the second is the first with one change, or with a few.

In a quarter of the pairs both have shared ids, contents listed twice, tokens with a normal form or
batches that are left on, and what changes is mostly one of these.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

from tokaudit_soundness.changes import all_changes
from tokaudit_soundness.changes.forms import KINDS
from tokaudit_soundness.drawing import Characters, Draw
from tokaudit_soundness.gguf_pairs import GgufPair, gguf_pair
from tokaudit_soundness.making import tokenizer

Described = dict[str, Any]
SECONDS = 4  # tokenizers that are made of one
MOST_TRIES = 4  # changes that may have nothing to change, one after another


@dataclass(frozen=True)
class ChangedPair:
    """Two tokenizers, the characters that they are about, and what was changed."""

    first: Described
    second: Described
    characters: Characters
    changes: tuple[str, ...]
    kind: str = ""  # one of `KINDS` of the changes of forms

    @property
    def same_ids(self) -> bool:
        """Return whether the second was made so that both give every text the same ids."""
        return all(all_changes()[name].same_ids for name in self.changes)


def pairs(draw: Draw) -> Iterator[ChangedPair | GgufPair]:
    """Pairs without end."""
    while True:
        if draw.evenly("of GGUF", (*(False,) * 19, True)):
            yield from (gguf_pair(draw) for _ in range(SECONDS))
            continue
        first, of = tokenizer(draw)
        kind = draw.evenly("kind of pair", (*("",) * 12, *KINDS))
        if kind:
            for _ in range(draw.number(1, 2)):
                draw.one(KINDS[kind]).act(draw, of, first)
        for _ in range(SECONDS):
            yield changed(draw, first, of, kind)


@cache
def deck() -> tuple[str, ...]:
    """Every change, as often as it weighs."""
    return tuple(each.name for each in all_changes().values() for _ in range(each.weight))


def changed(draw: Draw, first: Described, of: Characters, kind: str = "") -> ChangedPair:
    """A pair with the changes of one draw; the first of a kind is mostly one of that kind."""
    own = Characters(of.known, of.unknown, [*of.named])
    second, names = deepcopy(first), list[str]()
    for _ in range(draw.evenly("changes", (1, 1, 1, 1, 2, 2, 3))):
        for _ in range(MOST_TRIES):
            before = json.dumps(second)  # the order of entries counts
            own_kind = kind and not names and not draw.chance(0.3)
            name = draw.one(KINDS[kind]).name if own_kind else draw.evenly("change", deck())
            all_changes()[name].act(draw, own, second)
            if json.dumps(second) != before:
                names.append(name)
                break
    return ChangedPair(first, second, own, tuple(names), kind)
