"""The library's encoding speed, relative to a yardstick in the same run."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from tokaudit.plugin import (
    Basis,
    Harm,
    Measured,
    Measurement,
    Samples,
    Severity,
    Skip,
    Source,
    Stopwatch,
    TimedUpstream,
    Worse,
    Yardstick,
    check,
)

ROUNDS = 15
SHARE = 3  # one text of so many, over all languages and domains: more rounds in the same time
OUTSIDE = 3  # rounds on either side of the interval: ranks 4 to 12 of 15 hold a median at 96 %


@check(
    "throughput/encode",
    title="Encoding speed, one thread, against the built-in yardstick",
    why="The cost of a slow pre-tokenizer often shows only in production. The speed relative to "
    "tokaudit's reference encoder is comparable between machines.",
    remedy="Simplify the split pattern, or cut long runs before encoding.",
    severity=Severity.INFO,
    harm=Harm.COST,
    basis=Basis.INTRINSIC,
    incident="A fast class was very slow with long texts (huggingface/transformers #25873).",
    tier="default",  # it measures, and costs as much as all that judges
    alone=True,
    measures=(
        Measured("throughput/time_ratio", Worse.HIGHER, Source.TIMES),
        Measured("throughput/characters_per_second", source=Source.MACHINE),
    ),
    only_measures=True,
)
def encode(
    upstream: TimedUpstream, yardstick: Yardstick, samples: Samples
) -> Iterator[Measurement]:
    """Measure characters per second of both, and the median ratio of alternating rounds.

    The interval is of ranks, so that a few rounds in which the machine was busy do not widen it.
    """
    texts = [text for sample in samples.all for text in sample.sentences[::SHARE]]
    both = upstream.stopwatch, yardstick.stopwatch
    rounds = [_round(*both, texts) for _ in range(ROUNDS + 1)][1:]  # one warm-up
    version = yardstick.stopwatch.info.version
    against = {"yardstick": f"{yardstick.digest}+tokenizers-{version}"}
    characters = sum(map(len, texts))
    ratios = sorted(mine / theirs for mine, theirs in rounds)
    method = "processor time in the workers, on one processor, median of alternating rounds"
    yield Measurement(
        "throughput/time_ratio",
        "Time relative to the yardstick's",
        median(ratios),
        "x",
        ROUNDS,
        method,
        (ratios[OUTSIDE], ratios[-1 - OUTSIDE]),
        against,
    )
    for who, index in (("upstream library", 0), ("yardstick", 1)):
        speeds = sorted(characters / pair[index] for pair in rounds)
        yield Measurement(
            "throughput/characters_per_second",
            "Encoding throughput",
            median(speeds),
            "characters/s",
            ROUNDS,
            method,
            (speeds[OUTSIDE], speeds[-1 - OUTSIDE]),
            dimensions={"encoder": who, **against},
        )


def _round(subject: Stopwatch, yardstick: Stopwatch, texts: list[str]) -> tuple[float, float]:
    mine, theirs = (who.timed_encode(texts, 1)[0] for who in (subject, yardstick))
    if not theirs or not mine:
        raise Skip("the clock of this machine is too coarse to time the encoder")
    return mine, theirs
