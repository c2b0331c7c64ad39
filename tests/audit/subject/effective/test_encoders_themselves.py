"""The table of values on drawn sentence encoders, held to sentence-transformers, cell by cell.

`make loaders` builds the environments; TOKAUDIT_SEED draws other folders, TOKAUDIT_ENCODERS more.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from class_folders import of_class

from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit.subject.upstream.versions import SENTENCE_TRANSFORMERS
from tokaudit_loaders.drawing import Judge
from tokaudit_loaders.drawn_encoder import config_of, drawn_encoder
from tokaudit_loaders.held_encoder import disagreements
from tokaudit_loaders.held_table import Tally

pytestmark = pytest.mark.classes
FOLDERS, SEED = (
    int(os.environ.get("TOKAUDIT_ENCODERS", 200)),
    os.environ.get("TOKAUDIT_SEED", "0"),
)
PYTHON = Path(sys.prefix) / "recipes" / "bin" / "python"
WHEELS = Path(sys.prefix) / "settings-wheels" / "unpacked"
CLASSES = {
    "bert": "BertTokenizer",
    "roberta": "RobertaTokenizer",
    "gpt2": "GPT2Tokenizer",
    "t5": "T5Tokenizer",
}
ROWS = 600


@pytest.fixture
def judge(tmp_path: Path) -> Iterator[Judge]:
    if not (PYTHON.is_file() and (WHEELS / "sentence_transformers").is_dir()):
        pytest.skip("no environments: make classes recipes builds them")
    alone = tmp_path / "library"  # without the other wheels, which are of other versions
    alone.mkdir()
    for name in (
        "sentence_transformers",
        f"sentence_transformers-{SENTENCE_TRANSFORMERS}.dist-info",
    ):
        (alone / name).symlink_to(WHEELS / name)
    made = Judge(PYTHON, "judge_encoder.py", alone)
    yield made
    made.close()


@pytest.fixture
def bases(tmp_path: Path, judge: Judge) -> Mapping[str, Path]:
    found = {kind: of_class(every_class()[name], tmp_path / kind) for kind, name in CLASSES.items()}
    for kind, folder in found.items():
        (folder / "config.json").write_text(json.dumps(config_of(kind, ROWS)), "utf-8")
        judge(folder, (), whole=True)
    return found


def test_every_cell_of_drawn_encoders_is_what_the_library_takes(
    tmp_path: Path, judge: Judge, bases: Mapping[str, Path]
) -> None:
    draw, tally, apart = random.Random(SEED), Tally(), []
    for _ in range(FOLDERS):
        drawn = drawn_encoder(bases, draw)
        found = disagreements(drawn, tmp_path / "one", judge, tally)
        apart += [f"{drawn.base.name} {dict(drawn.files)}: {each}" for each in found]
    print(f"{FOLDERS:,} folders drawn, {sum(tally.compared.values()):,} cells compared")
    print(f"no cell: {dict(tally.unknown)}")
    print("\n".join(apart))
    assert apart == []
