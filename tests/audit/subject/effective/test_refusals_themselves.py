"""Drawn settings of drawn classes, put to both versions: the record says who refuses which.

`make loaders` builds the environments and writes the record anew; TOKAUDIT_SEED draws others.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from class_folders import of_class

from tokaudit.subject.effective.refused import refusals
from tokaudit.subject.opening import open_subject
from tokaudit.subject.upstream import records
from tokaudit.subject.upstream.refusals import REFUSALS
from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_loaders import drawing
from tokaudit_loaders.drawing import SETTINGS, WHOLE, Answer, Judge, drawn, with_tokenizer_json
from tokaudit_loaders.drawn_values import BY_ALGORITHM, GENERAL, KEYS, SLOW, VALUES
from tokaudit_loaders.record import Names, record

pytestmark = pytest.mark.classes
CLASSES = (
    *("GPT2Tokenizer", "LlamaTokenizer", "BertTokenizer", "T5Tokenizer", "XLMRobertaTokenizer"),
    *("WhisperTokenizer", "Qwen2Tokenizer", "GemmaTokenizer", "RobertaTokenizer", "CLIPTokenizer"),
)
TRIALS = 60
WRITE = "TOKAUDIT_RECORD"  # make loaders sets it
PYTHONS = {v: Path(sys.prefix) / f"transformers-{v}" / "bin" / "python" for v in (FOUR, FIVE)}


def layouts(judge: Judge, name: str, root: Path) -> Iterator[tuple[str, Path]]:
    """A folder of a class with its own files, and one with the tokenizer.json that it saves."""
    folder = of_class(every_class()[name], root / name)
    if (folder / WHOLE).is_file():
        yield "json", folder
        return
    yield "bare", folder
    alone = with_tokenizer_json(judge, folder, root / f"{name}-json")
    if alone is not None:
        yield "json", alone


def answers_of(python: Path, root: Path) -> Iterator[Answer]:
    judge, classes = Judge(python), every_class()
    for name in (*GENERAL, SLOW, *sorted({*classes} - {*GENERAL, SLOW})):
        for layout, folder in layouts(judge, name, root):
            yield from drawn(judge, name, layout, folder, tuple(classes[name].settings))
    judge.close()


def names_of(python: Path) -> Names:
    script = Path(drawing.__file__).with_name("list_names.py")
    run = subprocess.run([python, "-P", script], capture_output=True, text=True, check=True)
    found: Names = json.loads(run.stdout)
    return found


@pytest.mark.skipif(WRITE not in os.environ, reason="make loaders writes the record anew")
def test_the_record_is_drawn(tmp_path: Path) -> None:
    answers = {v: [*answers_of(python, tmp_path / v)] for v, python in PYTHONS.items()}
    text = record(answers, {v: names_of(python) for v, python in PYTHONS.items()})
    Path(str(records.HERE / REFUSALS)).write_text(text, "utf-8")


@pytest.fixture(scope="module", params=(FOUR, FIVE))
def judge(request: pytest.FixtureRequest) -> Iterator[tuple[str, Judge]]:
    python = PYTHONS[request.param]
    if not python.is_file():
        pytest.skip("no environments: make classes builds them")
    made = Judge(python)
    yield request.param, made
    made.close()


def settings_of(draw: random.Random) -> dict[str, Any]:
    """Two or three keys, each with a value of some form."""
    found: dict[str, Any] = {}
    for key in draw.sample(KEYS, draw.randint(1, 3)):
        form = draw.choice([each for each in VALUES if each not in BY_ALGORITHM.get(key, ())])
        found[key] = VALUES[form]
    return found


@pytest.mark.parametrize("name", CLASSES)
def test_what_a_version_refuses_is_what_its_record_says(
    tmp_path: Path, judge: tuple[str, Judge], name: str
) -> None:
    version, ask = judge
    folder = of_class(every_class()[name], tmp_path / "folder")
    sound = json.loads((folder / SETTINGS).read_text())
    draw = random.Random(f"{name} {os.environ.get('TOKAUDIT_SEED', 0)}")
    apart = []
    for _ in range(TRIALS):
        settings = sound | settings_of(draw)
        (folder / SETTINGS).write_text(json.dumps(settings))
        said = ask(folder)
        raised = said.get("refused") or said.get("encoding") or ""
        recorded = [each.key for each in refusals(open_subject(folder), version)]
        if bool(raised) != bool(recorded):
            apart.append((settings, raised, recorded))
    assert apart == []
