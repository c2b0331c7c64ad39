"""Files that lie about their lengths: every line about them is one, and memory has a bound."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from tokaudit_hostile_ids.files import HOSTILE, MOST, Hostile
from tokaudit_hostile_ids.trial import Trial, in_a_process, of_index

pytestmark = pytest.mark.process
SOUND = {  # what can be read as it is
    "parquet, ids packed to nothing",
    "jsonl, a line of 10 million ids",
}
Try = Callable[[Hostile, Path], Trial]


@pytest.fixture(scope="module")
def trial() -> Iterator[Try]:
    """The trial of a file: in one process for all that share a bound, so what it had most is theirs."""
    with ProcessPoolExecutor(1, get_context("spawn")) as shared:

        def tried(hostile: Hostile, folder: Path) -> Trial:
            if hostile.most != MOST:
                return in_a_process(hostile)
            return shared.submit(of_index, HOSTILE.index(hostile), str(folder)).result()

        yield tried


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda each: each.name)
def test_a_hostile_file_is_named_in_one_line_and_takes_little_memory(
    hostile: Hostile, tmp_path: Path, trial: Try
) -> None:
    found = trial(hostile, tmp_path)
    assert found.parent + found.workers < hostile.most
    assert bool(found.said) == (hostile.name not in SOUND)
    assert not [line for line in found.said if "\n" in line or len(line) > 400]
