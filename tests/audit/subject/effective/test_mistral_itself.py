"""The table of values on drawn tekken files, held to mistral-common, cell by cell."""

from __future__ import annotations

import base64
import json
import os
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from tokaudit.subject.effective.readers.mistral_values import NAME
from tokaudit.subject.effective.value_table import value_table
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit.subject.upstream.published.mistral_common import tokens_needed, versions
from tokaudit.subject.upstream.published.spellings import control_tokens_without_list
from tokaudit_loaders.drawing import Judge
from tokaudit_reference.tokenizer import ReferenceTokenizer

pytestmark = pytest.mark.classes
FILES, SEED = int(os.environ.get("TOKAUDIT_TEKKEN", 200)), os.environ.get("TOKAUDIT_SEED", "0")
PYTHON = Path(sys.prefix) / "mistral-common" / "bin" / "python"
TEXTS = ("the cat", " a  b1", "caf\u00e9")
PATTERN = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s+"
MERGED = (b"th", b" t", b"ca", b"the")


def drawn_tekken(draw: random.Random) -> dict[str, Any]:
    """A file whose version is known or not, with a list of special tokens, a short one or none."""
    named = list(control_tokens_without_list())
    more = [*dict.fromkeys((*named, *tokens_needed("v11")))]
    one_less = [each for each in more if each != draw.choice(more)]
    listed = draw.choice((named, more, one_less, named[: draw.randint(0, 12)], None))
    special = draw.choice((len(more), 30, 1000))
    kept = draw.sample(MERGED, draw.randint(0, len(MERGED)))
    tokens = [*(bytes((value,)) for value in range(256)), *kept]
    config = {
        "pattern": PATTERN,
        "num_vocab_tokens": len(tokens),
        "default_vocab_size": special + len(tokens) - draw.choice((0, 0, 2)),
        "default_num_special_tokens": special,
        "version": draw.choice((*versions()[:-1], "v4")),  # v15 needs settings of its own
    }
    found: dict[str, Any] = {
        "config": config,
        "vocab": [_entry(*each) for each in enumerate(tokens)],
    }
    if listed is not None:
        found["special_tokens"] = [
            {"rank": rank, "token_str": text, "is_control": True}
            for rank, text in enumerate(listed[:special])
        ]
    return found


def _entry(rank: int, token: bytes) -> dict[str, Any]:
    coded = base64.b64encode(token).decode()
    return {"rank": rank, "token_bytes": coded, "token_str": None}


def test_every_cell_of_drawn_files_is_what_the_library_takes(tmp_path: Path) -> None:
    if not PYTHON.is_file():
        pytest.skip("no environment: make templates builds it")
    judge, draw, apart, compared = Judge(PYTHON, "judge_mistral.py"), random.Random(SEED), [], 0
    for number in range(FILES):
        stated = drawn_tekken(draw)
        path = tmp_path / "tekken.json"
        path.write_text(json.dumps(stated), "utf-8")
        subject = open_subject(tmp_path)
        parsed = parse_all(subject).parsed
        cells = {c.key: c.value for c in value_table(subject, parsed) if c.loader == NAME}
        refused = any(str(value).startswith("refused: ") for value in cells.values())
        answer = judge(path, TEXTS)
        compared += 1
        if refused or "refused" in answer:
            if refused != ("refused" in answer):
                apart.append(f"{number} {stated['config']}: {cells} {answer}")
            continue
        ids = answer.pop("ids")
        ours = [list(ReferenceTokenizer(parsed[0][1]).encode(text).ids) for text in TEXTS]
        pairs = [*((key, cells[key], its) for key, its in answer.items()), ("ids", ours, ids)]
        compared += len(pairs)
        apart += [f"{number} {key}: {one} {its}" for key, one, its in pairs if one != its]
    judge.close()
    print(f"{FILES} files drawn, {compared:,} cells compared")
    assert apart == []
