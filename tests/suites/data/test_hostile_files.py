"""Files that lie about their lengths: every line about them is one, and memory has a bound."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import pytest
from processes import starts_processes

from tokaudit_hostile_ids.files import HOSTILE, Hostile
from tokaudit_hostile_ids.trial import forking, in_a_process

SOUND = {  # what can be read as it is
    "parquet, ids packed to nothing",
    "jsonl, a line of 10 million ids",
}


@pytest.fixture(scope="module")
@starts_processes
def forks() -> Iterator[ProcessPoolExecutor]:
    """What forks a process for each trial."""
    with forking() as opened:
        yield opened


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda each: each.name)
def test_a_hostile_file_is_named_in_one_line_and_takes_little_memory(
    hostile: Hostile, forks: ProcessPoolExecutor
) -> None:
    found = in_a_process(hostile, forks)
    assert found.parent + found.workers < hostile.most
    assert bool(found.said) == (hostile.name not in SOUND)
    assert not [line for line in found.said if "\n" in line or len(line) > 400]
