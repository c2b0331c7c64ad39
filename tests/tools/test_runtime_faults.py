"""Faults of engines: the referee finds each of them, and nothing in a sound engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokaudit.products.engines.referee.match import Match
from tokaudit.products.engines.referee.referee import referee
from tokaudit_runtimes.engine import Engine
from tokaudit_runtimes.faults import ENGINES, SPECS, TEXTS, Fault, faults
from tokaudit_runtimes.trials import (
    KINDS_OF_LINES,
    SUBJECTS,
    asked_of,
    faults_shown,
    lines_that_show,
    sound,
    spec_of,
    tried,
)


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
def test_the_lines_show_nearly_all_that_a_short_text_can_and_the_page_says_how_many() -> None:
    short = [fault for fault in faults() if fault.shows == "text"]
    found = {each.name: [lines_that_show(each, kind) for kind in KINDS_OF_LINES] for each in short}
    second = [found[fault.name][0] for fault in short if fault.half == "second"]
    assert sum(map(bool, second)) >= 0.95 * len(second)
    page = (Path(__file__).parents[2] / "docs" / "vectors.md").read_text("utf-8").splitlines()
    assert [half for half in ("first", "second") if faults_shown(half, found) not in page] == []
