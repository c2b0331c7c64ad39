"""The throughput gate: quiet on the same tokenizer, never silent on one that is twice as slow."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from locations import ROOT

from tokaudit.engine.needs import Stopwatch, TimedUpstream, Yardstick
from tokaudit.engine.samples import Samples
from tokaudit.engine.workers import Workers
from tokaudit.products.gate.differences.changes import compared
from tokaudit.products.gate.differences.snapshot import KnownMeasurement, of_measurement
from tokaudit.report.model import Measurement
from tokaudit.runtimes.protocol import TokenizerInfo
from tokaudit.runtimes.request import LoadRequest
from tokaudit_suites.shared.sample_texts import load
from tokaudit_suites.throughput.encode import encode

RATIO = next(one for one in encode.measures if one.key == "throughput/time_ratio")
TIMES = range(20)
YARDSTICK = ROOT / "suites/tokaudit_suites/throughput/yardstick.json"
SAMPLES = Samples(load()[::6])  # enough to time, and few enough to time forty times


@dataclass
class Simulated:
    """A clock on a shared machine: each round is slower by chance, some by much."""

    seconds: float
    chance: random.Random

    @property
    def info(self) -> TokenizerInfo:
        return TokenizerInfo("simulated", "simulated", "1")

    def timed_encode(self, texts: Sequence[str], repeats: int = 1) -> list[float]:
        return [self.seconds * self._noise() for _ in range(repeats)]

    def _noise(self) -> float:
        burst = 3.0 if self.chance.random() < 0.1 else 1.0
        return burst * self.chance.lognormvariate(0.0, 0.08)


@dataclass
class Repeating:
    """A real worker that encodes every text so many times."""

    worker: Stopwatch
    times: int = 1

    @property
    def info(self) -> TokenizerInfo:
        return self.worker.info

    def timed_encode(self, texts: Sequence[str], repeats: int = 1) -> list[float]:
        return [sum(self.worker.timed_encode(texts, self.times)) for _ in range(repeats)]


def measured(mine: Stopwatch, yardstick: Stopwatch) -> KnownMeasurement:
    """What the check measures of two encoders."""
    said = encode.function(TimedUpstream(mine), Yardstick(yardstick, "0"), SAMPLES)
    ratio = next(one for one in said if isinstance(one, Measurement) and one.key == RATIO.key)
    return of_measurement(ratio, "")


def simulated(seconds: float, seed: int) -> KnownMeasurement:
    chance = random.Random(seed)
    return measured(Simulated(seconds, chance), Simulated(1.0, chance))


def test_the_same_encoder_on_a_busy_machine_never_fails() -> None:
    recorded = simulated(1.0, seed=1000)
    assert [n for n in TIMES if compared(recorded, simulated(1.0, n), RATIO).worse] == []


def test_an_encoder_that_takes_twice_as_long_always_fails() -> None:
    recorded = simulated(1.0, seed=1000)
    assert all(compared(recorded, simulated(2.0, n), RATIO).worse for n in TIMES)


def test_an_encoder_that_takes_half_as_long_is_not_worse() -> None:
    assert not compared(simulated(2.0, 1), simulated(1.0, 2), RATIO).worse


def figure(value: float, low: float, high: float) -> KnownMeasurement:
    return KnownMeasurement(RATIO.key, value, "x", interval=(low, high))


@pytest.mark.parametrize(
    ("was", "now", "worse"),
    [
        (figure(1.0, 0.9, 1.1), figure(1.5, 1.4, 1.6), True),
        (figure(1.0, 0.9, 1.3), figure(1.5, 1.2, 1.7), False),  # the intervals overlap
        (figure(1.0, 0.99, 1.01), figure(1.3, 1.29, 1.31), False),  # apart, and not much slower
        (figure(1.0, 0.9, 1.1), figure(0.5, 0.4, 0.6), False),
    ],
)
def test_a_ratio_of_times_is_worse_where_it_grew_and_the_intervals_are_apart(
    was: KnownMeasurement, now: KnownMeasurement, worse: bool
) -> None:
    assert compared(was, now, RATIO).worse is worse


def test_a_threshold_of_growth_takes_the_place_of_the_usual_one() -> None:
    was, now = figure(1.0, 0.9, 1.1), figure(1.5, 1.4, 1.6)
    assert not compared(was, now, RATIO, growth=1.6).worse


@pytest.mark.published
def test_a_real_encoder_never_fails_next_to_itself_and_always_when_it_encodes_twice() -> None:
    workers = Workers()
    try:
        mine = workers.open("upstream", LoadRequest("tokenizers", str(YARDSTICK)))
        yardstick = workers.open("yardstick", LoadRequest("tokenizers", str(YARDSTICK)))
        recorded = measured(mine, yardstick)
        same = [compared(recorded, measured(mine, yardstick), RATIO) for _ in TIMES]
        slow = [compared(recorded, measured(Repeating(mine, 2), yardstick), RATIO) for _ in TIMES]
    finally:
        workers.close()
    assert ([str(e) for e in same if e.worse], [str(e) for e in slow if not e.worse]) == ([], [])
