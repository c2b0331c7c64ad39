"""The table and the ids of drawn SentencePiece models, held to the library, cell by cell."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest
from class_folders import model
from sentencepiece import SentencePieceProcessor

from tokaudit.subject.effective.value_table import PIECES, value_table
from tokaudit.subject.formats.sentencepiece_model import bare_model
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_loaders.piece_models import drawn_model
from tokaudit_reference.tokenizer import ReferenceTokenizer

pytestmark = pytest.mark.classes
MODELS, SEED = int(os.environ.get("TOKAUDIT_PIECES", 500)), os.environ.get("TOKAUDIT_SEED", "0")
TEXTS = (
    "the cat",
    " a  b ",
    "The \u2603 on",
    "do 1, case",
    "",
    "<s>on</s>",
    "<s>",
    "</s> <unk>",
    "\uff24\uff2f the\t",
)
NAME = "sentencepiece (its file alone)"


def loaded(data: bytes) -> Any:
    """The library, or None where it refuses the model."""
    try:
        return SentencePieceProcessor(model_proto=data)
    except RuntimeError:
        return None


def test_ids_and_roles_of_drawn_models_are_those_of_the_library(tmp_path: Path) -> None:
    charsmap = bare_model(model("unigram", normalization_rule_name="nmt_nfkc_cf"), "").charsmap
    draw, apart, compared = random.Random(SEED), [], 0
    for number in range(MODELS):
        data = drawn_model(draw, charsmap)
        (tmp_path / "spiece.model").write_bytes(data)
        subject = open_subject(tmp_path)
        [(_, spec)] = [each for each in parse_all(subject).parsed if each[1].format == PIECES]
        cells = {
            each.key: each.value
            for each in value_table(subject, [(None, spec)])
            if each.loader == NAME
        }
        library, ours = loaded(data), ReferenceTokenizer(spec)
        refused = str(cells["tokenizer file"]).startswith("refused: ")
        assert refused == (library is None)
        if refused:
            continue
        begin = library.bos_id()
        pairs = [
            ("bos_token", cells["bos_token"], None if begin < 0 else library.id_to_piece(begin)),
            ("unk_token", cells["unk_token"], library.id_to_piece(library.unk_id())),
            ("before a text", cells["before a text"], None),
            ("rows", spec.size(), library.get_piece_size()),
        ]
        pairs += [(text, list(ours.encode(text).ids), library.encode(text)) for text in TEXTS]
        compared += len(pairs)
        apart += [f"{number} {key!r}: {one} {its}" for key, one, its in pairs if one != its]
    print(f"{MODELS} models drawn, {compared:,} cells and texts compared")
    assert apart == []
