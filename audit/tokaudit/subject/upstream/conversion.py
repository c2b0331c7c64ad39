"""The changes to a SentencePiece model by conversions of slow classes to `tokenizer.json`.

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
    """The pieces whose scores are lowered, by how they end, and by how much."""

    ends_in: re.Pattern[str]
    lower_by: float


@cache
def written_normalizers() -> Mapping[str, tuple[Step, ...]]:
    """The steps that a conversion may write in addition to the map, by what they change.

    >>> [step.type for step in written_normalizers()[QUOTES]]
    ['Replace', 'Replace']
    """
    return {
        name: tuple(step for each in listed for step in Component(each).at("normalizer").steps)
        for name, stated in hand_written(CONVERSIONS)["normalizers"].items()
        for listed in [stated if isinstance(stated, list) else [stated]]
    }


def quotes() -> Iterator[str]:
    """The texts that a conversion writes as one quotation mark.

    >>> list(quotes())
    ['``', "''"]
    """
    for step in hand_written(CONVERSIONS)["normalizers"][QUOTES]:
        yield str(step["pattern"]["String"])


@cache
def lowered_commas() -> LoweredScores:
    """The pieces that end in a digit and a comma."""
    stated = hand_written(CONVERSIONS)["scores"]["commas"]
    return LoweredScores(re.compile(stated["ends_in"]), stated["lower_by"])
