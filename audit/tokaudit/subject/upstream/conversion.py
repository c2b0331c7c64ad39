"""Changes that conversions from slow classes make to a SentencePiece model.

The classes of ALBERT, XLNet, RemBERT and FNet change quotes and, unless a setting keeps them,
accents and capital letters; their conversion writes these steps down.  ALBERT's and XLNet's also
lower the score of each piece that ends in a digit and a comma, to cut the two apart as the slow
class does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from tokaudit.subject.upstream.records import CONVERSIONS, hand_written
from tokaudit_reference.spec import Component
from tokaudit_reference.steps.step import Step

QUOTES, ACCENTS, CAPITALS = "quotes", "accents", "capitals"


@dataclass(frozen=True, slots=True)
class LoweredScores:
    """Pieces with lowered scores: how they end, and the difference."""

    ends_in: re.Pattern[str]
    lower_by: float


@cache
def written_normalizers() -> Mapping[str, tuple[Step, ...]]:
    """Return the steps that a conversion may add to the map, by effect.

    >>> [step.type for step in written_normalizers()[QUOTES]]
    ['Replace', 'Replace']
    """
    return {
        name: tuple(step for each in listed for step in Component(each).at("normalizer").steps)
        for name, stated in hand_written(CONVERSIONS)["normalizers"].items()
        for listed in [stated if isinstance(stated, list) else [stated]]
    }


def quotes() -> Iterator[str]:
    """Yield the texts that a conversion unifies to one quotation mark.

    >>> list(quotes())
    ['``', "''"]
    """
    for step in hand_written(CONVERSIONS)["normalizers"][QUOTES]:
        yield str(step["pattern"]["String"])


@cache
def lowered_commas() -> LoweredScores:
    """Return the rule for pieces that end in a digit and a comma."""
    stated = hand_written(CONVERSIONS)["scores"]["commas"]
    return LoweredScores(re.compile(stated["ends_in"]), stated["lower_by"])
