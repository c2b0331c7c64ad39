"""How the time grows with the length of a text, by a clock that says what it is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from tokaudit.engine.needs import TimedUpstream
from tokaudit.engine.samples import Samples
from tokaudit.foundation.errors import Skip, UpstreamTrouble
from tokaudit.report.model import Measurement
from tokaudit.runtimes.protocol import TokenizerInfo
from tokaudit_suites.shared.sample_texts import load
from tokaudit_suites.throughput.growth import LENGTHS, growth


@dataclass
class Clock:
    """Says for a text what a function of its length says."""

    seconds: Callable[[int], float]
    refused: int = 10**9  # this length, and what is longer
    asked: list[int] = field(default_factory=list)

    @property
    def info(self) -> TokenizerInfo:
        return TokenizerInfo("simulated", "simulated", "1")

    def timed_encode(self, texts: Sequence[str], repeats: int = 1) -> list[float]:
        self.asked.append(len(texts[0]))
        if len(texts[0]) >= self.refused:
            raise UpstreamTrouble("refused")
        return [sum(self.seconds(len(text)) for text in texts)] * repeats


def measured(clock: Clock) -> dict[tuple[str, str, str], float]:
    """Each figure by its key, its text and its length."""
    said = list(growth.function(TimedUpstream(clock), Samples(load())))
    assert all(isinstance(m, Measurement) for m in said)
    return {
        (m.key.partition("/")[2], m.dimensions["text"], m.dimensions.get("length", "")): m.value
        for m in said
        if isinstance(m, Measurement)
    }


@pytest.mark.parametrize("power", [1, 2])
def test_the_exponent_is_the_power_of_the_length(power: int) -> None:
    found = measured(Clock(lambda length: 1e-10 * length**power))
    for text in ("words", "one letter", "spaces"):
        assert found["growth_exponent", text, ""] == pytest.approx(power)
        assert found["milliseconds", text, "1024"] == pytest.approx(1e-7 * 1024**power)


def test_a_text_that_takes_too_long_is_the_longest_that_is_asked() -> None:
    clock = Clock(lambda length: 1e-7 * length**2)
    found = measured(clock)
    assert max(clock.asked) == 2048 < LENGTHS[-1]
    assert ("milliseconds", "words", "2048") in found
    assert not [key for key in found if key[0] == "growth_exponent"]


def test_a_text_that_the_library_refuses_is_left_to_another_check() -> None:
    found = measured(Clock(lambda length: 1e-6 * length, refused=4096))
    assert ("milliseconds", "spaces", "2048") in found
    assert ("milliseconds", "spaces", "4096") not in found
    with pytest.raises(Skip, match="see round_trip/encodes"):
        measured(Clock(lambda length: 1e-6 * length, refused=1))
