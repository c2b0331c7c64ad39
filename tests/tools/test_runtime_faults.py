"""Faults of engines: the referee finds each of them, and nothing in a sound engine."""

from __future__ import annotations

import pytest

from tokaudit.comparison.referee.match import Match
from tokaudit.comparison.referee.referee import referee
from tokaudit_runtimes.engine import Engine
from tokaudit_runtimes.faults import ENGINES, SPECS, TEXTS, Fault, faults
from tokaudit_runtimes.trials import SUBJECTS, asked_of, lines_that_show, sound, spec_of, tried


def test_every_fault_of_the_list_is_there_and_no_other() -> None:
    assert {fault.name for fault in faults()} == {*SPECS, *TEXTS, *ENGINES}


@pytest.mark.runtimes
@pytest.mark.parametrize("fault", faults(), ids=lambda fault: fault.name)
def test_the_referee_finds_it(fault: Fault) -> None:
    assert tried(fault).causes


@pytest.mark.runtimes
@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_sound_engine_that_is_wrapped_differs_in_nothing(subject: str) -> None:
    match = Match(spec_of(subject), sound(subject), Engine(spec_of(subject)))
    assert referee(match, asked_of(subject), Engine(spec_of(subject))).broken == ()


@pytest.mark.runtimes
def test_the_lines_show_nearly_all_that_a_short_text_can() -> None:
    short = [fault for fault in faults() if fault.shows == "text" and fault.half == "second"]
    shown = [fault for fault in short if lines_that_show(fault, "vectors")]
    assert len(shown) >= 0.95 * len(short)
