"""Draws pairs of tokenizers: the second is the first with one change, or with a few."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

from tokaudit_soundness.changes import all_changes
from tokaudit_soundness.drawing import Characters, Draw
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


def pairs(draw: Draw) -> Iterator[ChangedPair]:
    """Pairs without end."""
    while True:
        first, of = tokenizer(draw)
        for _ in range(SECONDS):
            yield changed(draw, first, of)


@cache
def deck() -> tuple[str, ...]:
    """Every change, as often as it weighs."""
    return tuple(each.name for each in all_changes().values() for _ in range(each.weight))


def changed(draw: Draw, first: Described, of: Characters) -> ChangedPair:
    """A pair with the changes of one draw."""
    own = Characters(of.known, of.unknown, [*of.named])
    second, names = deepcopy(first), []
    for _ in range(draw.evenly("changes", (1, 1, 1, 1, 2, 2, 3))):
        for _ in range(MOST_TRIES):
            before = json.dumps(second)  # the order of entries counts
            name = draw.evenly("change", deck())
            all_changes()[name].act(draw, own, second)
            if json.dumps(second) != before:
                names.append(name)
                break
    return ChangedPair(first, second, own, tuple(names))
