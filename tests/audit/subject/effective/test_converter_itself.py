"""The table of values on drawn folders, held to what llama.cpp's converter reads of them.

`pip install gguf` brings the converter's own reader of settings.
"""

from __future__ import annotations

import os
import random
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from class_folders import of_class

from tokaudit.subject.upstream.versions import FOUR
from tokaudit_loaders.base_folders import bases
from tokaudit_loaders.drawing import Judge
from tokaudit_loaders.drawn_folders import drawn_folder, shrunk
from tokaudit_loaders.held_converter import disagreements
from tokaudit_loaders.held_table import Tally

pytestmark = pytest.mark.classes
FOLDERS, SEED = int(os.environ.get("TOKAUDIT_FOLDERS", 1500)), os.environ.get("TOKAUDIT_SEED", "0")
PYTHON = Path(sys.prefix) / f"transformers-{FOUR}" / "bin" / "python"


@pytest.mark.skipif(find_spec("gguf") is None, reason="gguf is not installed")
def test_every_cell_of_drawn_folders_is_what_the_converter_reads(tmp_path: Path) -> None:
    if not PYTHON.is_file():
        pytest.skip("no environments: make classes builds them")
    judge = Judge(PYTHON)
    made, draw, tally = [*bases(tmp_path, judge, of_class)], random.Random(SEED), Tally()
    judge.close()
    apart = []
    for _ in range(FOLDERS):
        drawn = drawn_folder(made, draw)
        for found in disagreements(drawn, tmp_path / "one", tally):
            least = shrunk(
                drawn,
                lambda each, key=found.key: any(
                    other.key == key for other in disagreements(each, tmp_path / "one", Tally())
                ),
            )
            apart.append(f"{least.shown()}: {found}")
    print(f"{FOLDERS:,} folders drawn, {sum(tally.compared.values()):,} cells compared")
    print(f"no cell: {dict(tally.unknown)}")
    print("\n".join(apart))
    assert apart == []
