"""What a version builds of a SentencePiece model: the record gives what the class itself saves.

`make loaders` builds the environments and writes the record anew.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from class_folders import FIRST, model

from tokaudit.subject.effective.built_of_pieces import built_of_pieces
from tokaudit.subject.formats.sentencepiece_model import bare_model
from tokaudit.subject.opening import open_subject
from tokaudit.subject.upstream import records
from tokaudit.subject.upstream.piece_pipelines import PIECE_PIPELINES
from tokaudit.subject.upstream.tokenizer_class import TokenizerClass, every_class
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_loaders.draw_pieces import Built, drawn_rows, record
from tokaudit_loaders.drawing import SETTINGS, Judge
from tokaudit_loaders.piece_models import drawn_models

pytestmark = pytest.mark.classes
WRITE = "TOKAUDIT_RECORD"  # make loaders sets it
PYTHONS = {v: Path(sys.prefix) / f"transformers-{v}" / "bin" / "python" for v in (FOUR, FIVE)}
NOT_HELD = ("SeamlessM4TTokenizer",)
"""It cuts its pieces off after a token of its own, and puts tokens in front that a model lacks."""
OF_PIECES = {
    name: known
    for name, known in every_class().items()
    if len(known.files) == 1 and known.files[0].endswith(".model") and name not in NOT_HELD
}
MODELS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("bpe", {"byte_fallback": True, "normalization_rule_name": "nmt_nfkc_cf"}),
    ("bpe", {"byte_fallback": True, "normalization_rule_name": "identity"}),
    ("unigram", {"normalization_rule_name": "nmt_nfkc"}),
    ("unigram", {"normalization_rule_name": "identity"}),
)


def rows_of(version: str, root: Path) -> Iterator[tuple[str, Built]]:
    judge, data = Judge(PYTHONS[version]), model("unigram", normalization_rule_name="nmt_nfkc")
    charsmap = bare_model(data, "").charsmap
    for name, known in OF_PIECES.items():
        for row in drawn_rows(judge, known, drawn_models(charsmap), root / name):
            yield name, row
    judge.close()


@pytest.mark.skipif(WRITE not in os.environ, reason="make loaders writes the record anew")
def test_the_record_of_pieces_is_drawn(tmp_path: Path) -> None:
    text = record({version: [*rows_of(version, tmp_path / version)] for version in PYTHONS})
    Path(str(records.HERE / PIECE_PIPELINES)).write_text(text, "utf-8")


@pytest.fixture(scope="module", params=(FOUR, FIVE))
def judge(request: pytest.FixtureRequest) -> Iterator[tuple[str, Judge]]:
    python = PYTHONS[request.param]
    if not python.is_file():
        pytest.skip("no environments: make classes builds them")
    made = Judge(python)
    yield request.param, made
    made.close()


def folders(known: TokenizerClass, root: Path) -> Iterator[Path]:
    """A folder for each trained model and each order of its first pieces."""
    for at, (kind, options) in enumerate(MODELS):
        for first in FIRST:
            folder = root / f"{at}-{first}"
            folder.mkdir()
            (folder / known.files[0]).write_bytes(model(kind, first, **options))
            (folder / SETTINGS).write_text(json.dumps({"tokenizer_class": known.name}))
            yield folder


def rounded(part: Any) -> Any:
    """A part whose scores have as many digits as their 32 bits hold."""
    match part:
        case float():
            return round(part, 5)
        case dict():
            return {key: rounded(value) for key, value in part.items()}
        case list():
            return [rounded(value) for value in part]
        case _:
            return part


@pytest.mark.parametrize("name", OF_PIECES)
def test_what_the_record_builds_of_a_model_is_what_the_class_builds(
    tmp_path: Path, judge: tuple[str, Judge], name: str
) -> None:
    version, ask = judge
    apart = []
    for folder in folders(OF_PIECES[name], tmp_path):
        found = built_of_pieces(open_subject(folder), version)
        if found is None:
            continue
        whole = json.loads(ask(folder, (), whole=True).get("whole") or "{}")
        apart += [
            (folder.name, key)
            for key in ("normalizer", "pre_tokenizer", "decoder", "model")
            if rounded(whole.get(key)) != rounded(found.saved[key])
        ]
    assert apart == []
