"""Every class that is made of bare files: what is emulated gives the ids of the class itself.

`make classes` builds the environments; texts are drawn by TOKAUDIT_SEED.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from class_folders import of_class
from tokenizers import Tokenizer

from tokaudit.subject.effective.built_of_pieces import built_of_pieces
from tokaudit.subject.opening import open_subject
from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_loaders.drawing import WHOLE, Judge
from tokaudit_suites.shared.sample_texts import load

pytestmark = pytest.mark.classes
PYTHONS = {v: Path(sys.prefix) / f"transformers-{v}" / "bin" / "python" for v in (FOUR, FIVE)}
WITH_BOXES = ("LayoutXLMTokenizer", "UdopTokenizer")  # which take no plain text
OF_PIECES = tuple(
    name
    for name, known in every_class().items()
    if "model" in "".join(known.files[:1]) and name not in WITH_BOXES
)
PARTS = ("the", " cat", "  ", "Sat", "\t", "\n", "d'", "1,", "12", "\u00e9", "e\u0301", "\u2603")
PARTS += ("\u00a0", "\uff21", "\u4e2d\u6587", "\U0001f600", "\u200d", "low", "est", ".", "\u2581")


def drawn(count: int) -> list[str]:
    draw = random.Random(os.environ.get("TOKAUDIT_SEED", "0"))
    return ["".join(draw.choices(PARTS, k=draw.randint(1, 9))) for _ in range(count)]


def fixed(count: int) -> list[str]:
    """Sentences of every sample, as many of each."""
    whole = [text for sample in load() for text in sample.sentences]
    return whole[:: -(-len(whole) // count)][:count]


TEXTS = tuple(dict.fromkeys((*fixed(200), *drawn(500))))


@pytest.fixture(scope="module", params=(FOUR, FIVE))
def judge(request: pytest.FixtureRequest) -> Iterator[tuple[str, Judge]]:
    if not PYTHONS[request.param].is_file():
        pytest.skip("no environments: make classes builds them")
    made = Judge(PYTHONS[request.param])
    yield request.param, made
    made.close()


def emulated(folder: Path, version: str) -> Sequence[Sequence[int]] | None:
    built = built_of_pieces(open_subject(folder), version)
    if built is None:
        return None
    made = Tokenizer.from_str(json.dumps(built.saved))
    return [made.encode(text, add_special_tokens=False).ids for text in TEXTS]


@pytest.mark.parametrize("name", OF_PIECES)
def test_what_is_emulated_of_bare_files_gives_the_ids_of_the_class(
    tmp_path: Path, judge: tuple[str, Judge], name: str
) -> None:
    version, ask = judge
    folder = of_class(every_class()[name], tmp_path / name)
    ours = None if (folder / WHOLE).is_file() else emulated(folder, version)
    if ours is None:
        pytest.skip(f"nothing is emulated of {name} in {version}")
    answer = ask(folder, TEXTS)
    apart = [
        (text, mine, its)
        for text, mine, its in zip(TEXTS, ours, answer["inner"], strict=True)
        if list(mine) != its
    ]
    assert apart == []
