"""Growth of encoding time with text length."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import log
from statistics import linear_regression, median

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
    UpstreamTrouble,
    Worse,
    check,
)
from tokaudit_suites.shared.sample_texts import REFERENCE_LANGUAGE

LENGTHS = (512, 1_024, 2_048, 4_096, 8_192, 16_384)
LONG = 2_048  # from here on a text costs more than the call
AT_ONCE = 4_096  # characters: of shorter texts several are encoded together, for the clock
ROUNDS = 6  # the lowest and the highest of six hold a median at 97 %
LONGEST = 0.25  # seconds for one text; what is longer than that is not tried
METHOD = "processor time in the worker, on one processor, warm, median of rounds"
TEXTS = ("words", "one letter", "spaces")

Times = dict[int, list[float]]


@check(
    "throughput/growth",
    title="Time for a text by its length",
    why="An encoder that scans a long run of letters or spaces again and again takes minutes for "
    "one pasted file, although the average text is quick.",
    remedy="Cut long runs before encoding, or let the split pattern cut them.",
    severity=Severity.INFO,
    harm=Harm.COST,
    basis=Basis.INTRINSIC,
    tier="default",  # it measures
    alone=True,
    incident="A long run of one letter was far slower than words (openai/tiktoken #195).",
    measures=(
        Measured("throughput/milliseconds", source=Source.MACHINE, dimensions={"text": TEXTS}),
        Measured(
            "throughput/growth_exponent", Worse.HIGHER, Source.TIMES, dimensions={"text": TEXTS}
        ),
    ),
    only_measures=True,
)
def growth(upstream: TimedUpstream, samples: Samples) -> Iterator[Measurement]:
    """Measure milliseconds for each length, and the exponent of their growth."""
    texts = _texts(samples)
    lengths = {name: _bearable(upstream.stopwatch, text) for name, text in texts.items()}
    times: dict[str, Times] = {name: {n: [] for n in lengths[name]} for name in texts}
    if not any(times.values()):
        raise Skip("the library encodes none of the texts; see round_trip/encodes")
    for _ in range(ROUNDS):
        for name, text in texts.items():
            for length, found in times[name].items():
                found.append(_seconds(upstream.stopwatch, text, length))
    for name, timed in times.items():
        yield from _milliseconds(name, timed)
        yield from _exponent(name, {n: found for n, found in timed.items() if n >= LONG})


def _texts(samples: Samples) -> Mapping[str, str]:
    """Return ordinary words, and two runs on which patterns and merges backtrack."""
    (english,) = (each for each in samples.all if each.language == REFERENCE_LANGUAGE)
    words = " ".join(english.sentences)
    words *= -(-LENGTHS[-1] // len(words))
    return dict(zip(TEXTS, (words, "a" * LENGTHS[-1], " " * LENGTHS[-1]), strict=True))


def _bearable(stopwatch: Stopwatch, text: str) -> list[int]:
    """Return the lengths up to the first slow one; measuring them is the warm-up.

    What the library refuses or dies of is for round_trip/encodes to say.
    """
    bearable: list[int] = []
    for length in LENGTHS:
        try:
            seconds = _seconds(stopwatch, text, length)
        except UpstreamTrouble:
            break
        bearable.append(length)
        if seconds > LONGEST:
            break
    return bearable


def _seconds(stopwatch: Stopwatch, text: str, length: int) -> float:
    copies = max(1, AT_ONCE // length)
    (seconds,) = stopwatch.timed_encode([text[:length]] * copies)
    if not seconds:
        raise Skip("the clock of this machine is too coarse to time the encoder")
    return seconds / copies


def _milliseconds(name: str, times: Times) -> Iterator[Measurement]:
    for length, found in times.items():
        yield Measurement(
            "throughput/milliseconds",
            "Time for one text",
            1000 * median(found),
            "ms",
            ROUNDS,
            METHOD,
            (1000 * min(found), 1000 * max(found)),
            {"text": name, "length": str(length)},
        )


def _exponent(name: str, times: Times) -> Iterator[Measurement]:
    """Measure the exponent: one if time doubles with the length, two if it quadruples."""
    if len(times) < 2:
        return
    lengths = [log(length) for length in times]
    powers = [
        linear_regression(lengths, [log(each) for each in one]).slope
        for one in zip(*times.values(), strict=True)
    ]
    yield Measurement(
        "throughput/growth_exponent",
        "Growth of encoding time",
        median(powers),
        "power of the length",
        ROUNDS,
        f"{METHOD}, from {LONG:,} characters on",
        (min(powers), max(powers)),
        {"text": name},
    )
