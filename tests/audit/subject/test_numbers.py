"""What a file may state as a count, in the formats that have counts."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all

MODEL = {"type": "WordPiece", "unk_token": "[UNK]", "vocab": {"[UNK]": 0, "a": 1, "##a": 2}}
PADDING = {"strategy": "BatchLongest", "direction": "Right", "pad_id": 0, "pad_token": "[UNK]"}
TRUNCATION = {"max_length": 8, "stride": 0, "strategy": "LongestFirst", "direction": "Right"}
# what is stated, and where the message says that it is
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "padding that is on": ({"padding": True}, "/padding"),
    "padding that is a text": ({"padding": "max_length"}, "/padding"),
    "truncation that is a number": ({"truncation": 512}, "/truncation"),
    "a length below nothing": ({"truncation": {**TRUNCATION, "max_length": -1}}, "/max_length"),
    "a length that is true": ({"truncation": {**TRUNCATION, "max_length": True}}, "/max_length"),
    "a length that is a text": ({"truncation": {**TRUNCATION, "max_length": "8"}}, "/max_length"),
    "a stride that is not whole": ({"truncation": {**TRUNCATION, "stride": 0.5}}, "/stride"),
    "a multiple that is a text": ({"padding": {**PADDING, "pad_to_multiple_of": "8"}}, "/pad_to"),
    "a fixed length that is null": (
        {"padding": {**PADDING, "strategy": {"Fixed": None}}},
        "/padding/strategy/Fixed",
    ),
    "a word of minus one character": (
        {"model": {**MODEL, "max_input_chars_per_word": -1}},
        "/model/max_input_chars_per_word",
    ),
    "a word of more characters than 64 bits count": (
        {"model": {**MODEL, "max_input_chars_per_word": 2**64}},
        "/model/max_input_chars_per_word",
    ),
}


def folder_with(tmp_path: Path, stated: dict[str, Any]) -> Path:
    (tmp_path / "tokenizer.json").write_text(json.dumps({"model": MODEL, **stated}))
    return tmp_path


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_count_is_refused_where_it_is_stated(name: str, tmp_path: Path) -> None:
    stated, pointer = REFUSED[name]
    (found,) = parse_all(open_subject(folder_with(tmp_path, stated))).all
    assert found.spec is None
    assert pointer in found.pointer


@pytest.mark.parametrize("count", [10**18, 2**64 - 1, 20_000])
def test_a_word_that_nobody_writes_is_never_made(
    count: int, tmp_path: Path, processes: None
) -> None:
    stated = {
        "model": {**MODEL, "max_input_chars_per_word": count},
        "pre_tokenizer": {"type": "Whitespace"},
    }
    result = tokaudit.run_check("vocab/word-length", folder_with(tmp_path, stated))
    assert (result.status, result.findings) == ("passed", ())


def gguf(tokens: list[bytes]) -> bytes:
    """A GGUF file with these tokens and nothing else."""

    def text(data: bytes) -> bytes:
        return struct.pack("<Q", len(data)) + data

    head = b"GGUF" + struct.pack("<IQQ", 3, 0, 2)
    model = text(b"tokenizer.ggml.model") + struct.pack("<I", 8) + text(b"llama")
    listed = text(b"tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, len(tokens))
    return head + model + listed + b"".join(map(text, tokens))


@pytest.mark.parametrize(
    ("tokens", "said"),
    [
        ([b""] * 200_000, "has 200,000 tokens without text; at most 100,000 are read"),
        ([b"a"] * 1_000_001, "has 1,000,001 tokens; at most 1,000,000 are read"),
    ],
    ids=["without text", "too many"],
)
def test_a_gguf_of_more_tokens_than_any_is_refused_in_true_words(
    tokens: list[bytes], said: str, tmp_path: Path
) -> None:
    (tmp_path / "model.gguf").write_bytes(gguf(tokens))
    (found,) = parse_all(open_subject(tmp_path)).all
    assert found.error.endswith(said)
