"""Judges a verdict of the prover by running the engine on every short text, and on random ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice, product

from tokaudit.products.compare.patterns.classes import common
from tokaudit.products.compare.patterns.replay import spans
from tokaudit.products.compare.patterns.splits import PreTokenizer, machine
from tokaudit.products.compare.patterns.verdicts import Differs, Proved
from tokaudit_reference.steps.pre_tokenizers.split import Split

LONGEST_RANDOM = 14


def wrong(
    left: PreTokenizer, right: PreTokenizer, verdict: Proved | Differs, texts: int, at_random: int
) -> str | None:
    """What is wrong with a verdict, by up to so many texts in order of length; else None."""
    lossy = any(split.behavior == "Removed" or split.literal for split in left + right)
    one, other = cutter(left, lossy), cutter(right, lossy)
    characters = list(common(machine(left)[0], machine(right)[0]).values())
    limit = longest(len(characters))
    if isinstance(verdict, Differs):
        if spans(left, verdict.text) == spans(right, verdict.text):
            return f"{verdict.text!r} is cut alike"
        limit = min(limit, len(verdict.text) - 1)
    for text in islice(every_text(characters, limit), texts):
        if one(text) != other(text):
            return f"{text!r} is cut differently, and {verdict} was said"
    dice = random.Random(len(characters))
    most = LONGEST_RANDOM if isinstance(verdict, Proved) else min(LONGEST_RANDOM, limit)
    for _ in range(at_random if most > 0 else 0):
        text = "".join(dice.choices(characters, k=dice.randint(1, most)))
        if one(text) != other(text):
            return f"{text!r} is cut differently, and {verdict} was said"
    return None


def cutter(splits: PreTokenizer, lossy: bool) -> Callable[[str], object]:
    """Cuts texts quickly: what the reference's Split makes of them, in pieces where none is lost."""
    if lossy:
        return partial(spans, splits)
    steps = [
        Split.from_json(
            {
                "pattern": {"Regex": split.pattern},
                "behavior": split.behavior,
                "invert": split.invert,
                split.dialect.value: True,
            }
        ).build()
        for split in splits
    ]

    def pieces(text: str) -> list[str]:
        cut = [text]
        for step in steps:
            cut = [piece for each in cut for piece in step.pieces(each, True) if piece]
        return cut

    return pieces


def longest(classes: int) -> int:
    """How long the texts are that are all tried."""
    return 5 if classes <= 16 else 4


def every_text(characters: list[str], limit: int) -> Iterator[str]:
    """All texts of these characters, the short ones first."""
    for length in range(1, limit + 1):
        yield from map("".join, product(characters, repeat=length))
