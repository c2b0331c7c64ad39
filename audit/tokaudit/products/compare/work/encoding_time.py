"""Encoding time of several tokenizers, relative to the yardstick."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from tokaudit.engine.needs import Stopwatch
from tokaudit.engine.samples import Samples
from tokaudit.report.comparison import Rate

ROUNDS = 5
SHARE = 3  # one text of so many


def times_over(
    yardstick: Stopwatch | None, tokenizers: Sequence[Stopwatch | None], samples: Samples
) -> list[Rate | None]:
    """Return the median, least and greatest time ratio of alternating rounds, for each.

    It is processor time on one thread, inside the workers.  None where there is nothing to time:
    without the yardstick, or where no library runs a tokenizer.
    """
    if yardstick is None:
        return [None for _ in tokenizers]
    texts = [text for sample in samples.all for text in sample.sentences[::SHARE]]
    rounds = [_round(yardstick, tokenizers, texts) for _ in range(ROUNDS + 1)][1:]
    return [_middle([each[at] for each in rounds]) for at in range(len(tokenizers))]


def _round(
    yardstick: Stopwatch, tokenizers: Sequence[Stopwatch | None], texts: Sequence[str]
) -> list[float | None]:
    whole = yardstick.timed_encode(texts, 1)[0]
    times = [None if each is None else each.timed_encode(texts, 1)[0] for each in tokenizers]
    return [None if time is None or not whole else time / whole for time in times]


def _middle(ratios: Sequence[float | None]) -> Rate | None:
    known = [ratio for ratio in ratios if ratio is not None]
    return Rate(median(known), (min(known), max(known))) if len(known) == ROUNDS else None
