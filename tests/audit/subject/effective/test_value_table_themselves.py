"""The table of values on drawn folders, held to both versions, cell by cell.

`make loaders` builds the environments; TOKAUDIT_SEED draws other folders, TOKAUDIT_FOLDERS more.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from class_folders import of_class

from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_loaders.base_folders import bases
from tokaudit_loaders.drawing import Judge
from tokaudit_loaders.drawn_folders import DrawnFolder, drawn_folder, shrunk
from tokaudit_loaders.held_table import Tally, disagreements

pytestmark = pytest.mark.classes
FOLDERS, SEED = int(os.environ.get("TOKAUDIT_FOLDERS", 1500)), os.environ.get("TOKAUDIT_SEED", "0")
PYTHONS = {v: Path(sys.prefix) / f"transformers-{v}" / "bin" / "python" for v in (FOUR, FIVE)}


@pytest.fixture(scope="module")
def judges() -> Iterator[Mapping[str, Judge]]:
    if not all(python.is_file() for python in PYTHONS.values()):
        pytest.skip("no environments: make classes builds them")
    made = {version: Judge(python) for version, python in PYTHONS.items()}
    yield made
    for judge in made.values():
        judge.close()


def test_every_cell_of_drawn_folders_is_what_the_version_takes(
    tmp_path: Path, judges: Mapping[str, Judge]
) -> None:
    made, draw, tally = [*bases(tmp_path, judges[FOUR], of_class)], random.Random(SEED), Tally()
    began, apart = time.monotonic(), []

    def has(place: tuple[str, str]) -> Callable[[DrawnFolder], bool]:
        def again(drawn: DrawnFolder) -> bool:
            found = disagreements(drawn, tmp_path / "one", judges, Tally())
            return any(each.place == place for each in found)

        return again

    for _ in range(FOLDERS):
        drawn = drawn_folder(made, draw)
        for found in disagreements(drawn, tmp_path / "one", judges, tally):
            apart.append(f"{shrunk(drawn, has(found.place)).shown()}: {found}")
    seconds = (time.monotonic() - began) / FOLDERS * 100
    print(f"{FOLDERS:,} folders drawn of {len(made)} bases, {seconds:.1f} s a hundred")
    print(f"{sum(tally.compared.values()):,} cells compared, {len(apart)} disagreements")
    print(f"no cell: {dict(tally.unknown)}")
    print("\n".join(apart))
    assert apart == []
