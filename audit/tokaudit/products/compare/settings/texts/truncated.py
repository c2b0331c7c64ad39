"""A text that is too long, truncated as each side states."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import EncoderPair, Trial
from tokaudit.products.compare.settings.texts.rows import Values, differing_rows, encoded
from tokaudit.report.model import Evidence

LONGEST = 512  # tokens of a text that is shown
ASKED = 2  # tokens that a caller asks for where no side states a length that can be shown
SIDES = {"left", "right"}


def of_length(values: Values, trial: Trial, pair: EncoderPair) -> Evidence | None:
    """Return a text one token too long for the shorter side, cut to each side's length."""
    (lengths,) = values.values()
    if not all(isinstance(each, int | float) and each >= 0 for each in lengths):
        return None  # no length, as what is not a number
    within = [int(min(each, LONGEST + 1)) for each in lengths]
    most = min(within)
    if not 0 < most <= LONGEST:
        return None
    text = _longer_than(most)
    plain = encoded(text, pair)
    if plain is None:
        return None
    ids = [own[:length] for own, length in zip(plain, within, strict=True)]
    return differing_rows(text, trial, ids, pair, "truncated to the length that each side states")


def of_truncation_side(values: Values, trial: Trial, pair: EncoderPair) -> Evidence | None:
    """Return a text too long for both sides, without its beginning or its end."""
    (cut,) = values.values()
    if not SIDES.issuperset(map(str, cut)):
        return None
    most = min((*_stated(trial.left), *_stated(trial.right)), default=ASKED)
    text = _longer_than(most)
    plain = encoded(text, pair)
    if plain is None:
        return None
    ids = [
        own[-most:] if side == "left" else own[:most] for own, side in zip(plain, cut, strict=True)
    ]
    return differing_rows(text, trial, ids, pair, f"truncated to {most} on the side that is stated")


def _stated(side: Side) -> Iterator[int]:
    """Yield the stated length of a side, if a text of that length can be shown."""
    for fact in side.subject.facts_named("model_max_length") if side.subject is not None else ():
        if isinstance(fact.value, int | float) and 1 <= fact.value <= LONGEST:
            yield int(fact.value)


def _longer_than(most: int) -> str:
    """Return a text of more than `most` tokens: digits that are separate tokens.

    >>> _longer_than(2)
    '0 1 2'
    """
    return " ".join(str(at % 10) for at in range(most + 1))
