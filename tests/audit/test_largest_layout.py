"""A layout of two formats of 262,144 entries is decided within the memory that an audit may use.

Takes half a minute, so it runs with the wider tests (`make published`).
"""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest

from tokaudit_loaders.piece_models import KINDS, written_model

pytestmark = pytest.mark.published
SIZE, LETTERS = 262_144, [chr(0x4E00 + at) for at in range(600)] + ["\u2581"]
SPECIAL = ("<pad>", "<eos>", "<bos>", "<unk>")
BYTES = [f"<0x{value:02X}>" for value in range(256)]
CHECKS = ("agreement/merges", "agreement/scores", "agreement/reference", "agreement/vocab")


def layout(folder: Path) -> Path:
    """A tokenizer.json and a SentencePiece model with the same entries, for Gemma's class."""
    folder.mkdir()
    room = SIZE - len(SPECIAL) - len(BYTES) - len(LETTERS)
    pairs = [*islice(product(LETTERS, LETTERS), room)]
    merged = [one + other for one, other in pairs]
    tokens = [*SPECIAL, *BYTES, *merged, *LETTERS]
    added = [{"id": id, "content": text, "special": True} for id, text in enumerate(SPECIAL)]
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    whole: dict[str, Any] = {
        "version": "1.0",
        "added_tokens": [each | flags for each in added],
        "normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"},
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": {
            "type": "Sequence",
            "decoders": [
                {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "},
                {"type": "ByteFallback"},
                {"type": "Fuse"},
            ],
        },
        "model": {
            "type": "BPE",
            "unk_token": "<unk>",
            "fuse_unk": True,
            "byte_fallback": True,
            "vocab": {text: id for id, text in enumerate(tokens)},
            "merges": [[*pair] for pair in pairs],
        },
    }
    types = [2 if text == "<unk>" else 3 for text in SPECIAL]
    pieces = [(text, 0.0, kind) for text, kind in zip(SPECIAL, types, strict=True)]
    pieces += [(text, 0.0, 6) for text in BYTES]
    pieces += [(text, -float(at), 1) for at, text in enumerate((*merged, *LETTERS))]
    files = {
        "tokenizer.json": json.dumps(whole),
        "tokenizer_config.json": json.dumps({"tokenizer_class": "GemmaTokenizer"}),
        "config.json": json.dumps({"model_type": "gemma", "vocab_size": SIZE}),
    }
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    (folder / "tokenizer.model").write_bytes(written_model(pieces, KINDS["BPE"], b"", flags=False))
    return folder


def test_no_check_of_a_layout_of_262_144_entries_is_left_out_for_memory(tmp_path: Path) -> None:
    out = tmp_path / "report.json"
    command = [
        sys.executable,
        "-m",
        "tokaudit",
        "audit",
        layout(tmp_path / "gemma"),
        "--tier",
        "quick",
    ]
    done = subprocess.run(
        [*map(str, command), "--select", ",".join(CHECKS), "--out", str(out)],
        capture_output=True,
        check=False,
    )
    assert out.is_file(), done.stderr
    results = json.loads(out.read_text("utf-8"))["results"]
    assert {each["check"] for each in results} == {*CHECKS}
    left_out = [each["reason"] for each in results if each["status"] in ("skipped", "crashed")]
    assert left_out == []
