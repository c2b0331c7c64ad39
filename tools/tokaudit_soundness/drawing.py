"""Draws of a seed: kinds come from shuffled decks, so that each turns up as often as any other."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

Item = TypeVar("Item")
KNOWN = ("a", "b", "c", "A", ".", "1", " ", "\u00e9")
UNKNOWN = ("z", "#", "\u2603", "\u2581", "\u00c9", "\t", "\u0301", "x")
MARKS = ("<s>", "</s>", "<unk>", "[x]")  # what special tokens look like


@dataclass(frozen=True)
class Characters:
    """The characters that one tokenizer is about: with an entry, without, and named by a step."""

    known: tuple[str, ...]
    unknown: tuple[str, ...]
    named: list[str] = field(default_factory=list)

    def all(self) -> tuple[str, ...]:
        """Every character once."""
        return tuple(dict.fromkeys((*self.named, *self.known, *self.unknown)))


class Draw:
    """Everything that is random in a run; equal seeds give equal runs."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self._decks: dict[str, list[Any]] = {}

    def evenly(self, deck: str, items: Sequence[Item]) -> Item:
        """The next item of a named deck, which is shuffled again when all were drawn."""
        waiting = self._decks.get(deck)
        if not waiting:
            waiting = self._decks[deck] = self.random.sample(items, len(items))
        found: Item = waiting.pop()
        return found

    def one(self, items: Sequence[Item]) -> Item:
        """Any of some items."""
        return self.random.choice(items)

    def some(self, items: Sequence[Item], least: int, most: int) -> list[Item]:
        """Some of the items in any order, none twice."""
        return self.random.sample(items, min(len(items), self.random.randint(least, most)))

    def chance(self, probability: float) -> bool:
        """True that often."""
        return self.random.random() < probability

    def number(self, least: int, most: int) -> int:
        """A whole number between two, both included."""
        return self.random.randint(least, most)

    def characters(self) -> Characters:
        """The characters of a new tokenizer."""
        return Characters(tuple(self.some(KNOWN, 2, 3)), tuple(self.some(UNKNOWN, 1, 2)))

    def character(self, deck: str, of: Characters) -> str:
        """A character: one that a step names already, one with an entry, or one without."""
        kind = self.evenly(f"{deck}/character", ("named", "known", "unknown"))
        pools = {"named": of.named, "known": of.known, "unknown": of.unknown}
        found = self.one(pools[kind] or of.all())
        of.named.append(found)
        return found

    def short(self, deck: str, of: Characters) -> str:
        """A text of no, one or two characters."""
        length = self.evenly(f"{deck}/length", (0, 1, 1, 1, 2))
        return "".join(self.character(deck, of) for _ in range(length))


Drawn = Callable[[Draw, Characters], Any]
"""What draws an option of a step or of a model."""
