"""The table of values on drawn GGUF files, held to llama.cpp itself, cell by cell.

`make loaders` builds the environment; TOKAUDIT_SEED draws other files, TOKAUDIT_GGUF more.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tokaudit.report.recorded import SOURCE_ONLY
from tokaudit_loaders.drawing import Judge
from tokaudit_loaders.drawn_gguf import drawn_gguf
from tokaudit_loaders.held_gguf import ENGINE, disagreements
from tokaudit_loaders.held_table import Tally

pytestmark = pytest.mark.classes
ROOT = Path(__file__).parents[4]
FILES, SEED = int(os.environ.get("TOKAUDIT_GGUF", 150)), os.environ.get("TOKAUDIT_SEED", "0")
PYTHON = Path(sys.prefix) / "template-engines" / "bin" / "python"


@pytest.fixture
def judge() -> Iterator[Judge]:
    if not PYTHON.is_file():
        pytest.skip("no environment with llama.cpp: make template-engines builds it")
    made = Judge(PYTHON, "judge_gguf.py", ROOT / "audit", ROOT / "reference_impl")
    yield made
    made.close()


def test_every_cell_of_drawn_gguf_files_is_what_the_engine_takes(
    tmp_path: Path, judge: Judge
) -> None:
    draw, tally, apart = random.Random(SEED), Tally(), []
    for _ in range(FILES):
        drawn = drawn_gguf(draw)
        found = disagreements(drawn, tmp_path, judge, tally)
        apart += [f"{drawn.shown()}: {each}" for each in found]
    print(f"{FILES:,} files drawn, {sum(tally.compared.values()):,} cells compared")
    print(f"no cell: {dict(tally.unknown)}")
    print(f"known from source only: {', '.join(SOURCE_ONLY[ENGINE])}")
    assert apart == []
