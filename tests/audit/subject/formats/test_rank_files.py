"""Files of ranks, under whatever name they are published."""

from __future__ import annotations

from pathlib import Path

import pytest
from format_files import read, spec_of

from tokaudit.subject.upstream.published.known_encodings import KNOWN
from tokaudit_reference.spec import Standing

RANKS = b"YQ== 0\nYg== 1\nYWI= 2\n"


def test_a_file_of_ranks_may_be_named_like_a_sentencepiece_model(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, {"tokenizer.model": RANKS})
    assert (spec.format, [piece.value for piece in spec.pieces.values()]) == (
        "tiktoken",
        [b"a", b"b", b"ab"],
    )


def test_a_place_that_is_kept_for_a_special_token_is_an_entry_of_nothing(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, {"whisper.tiktoken": RANKS + b"= 3\n"})
    assert spec.pieces[3].value == b""


@pytest.mark.parametrize("line", [b"== 3", b"=YQ= 3", b"Y=Q= 3", b"Y 3"])
def test_other_padding_is_no_base64(tmp_path: Path, line: bytes) -> None:
    _, error = read(tmp_path, {"r.tiktoken": RANKS + line + b"\n"})
    assert "r.tiktoken at line 4: is not a base64 token and rank" in error


def test_an_unknown_file_of_ranks_leaves_its_pattern_unstated(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, {"r.tiktoken": RANKS})
    assert spec.pre_tokenizer.standing is Standing.UNSTATED


@pytest.mark.parametrize("name", KNOWN)
def test_the_special_tokens_of_a_known_encoding_have_an_id_each(name: str) -> None:
    special = KNOWN[name].special
    assert len(set(special.values())) == len(special) > 0


@pytest.mark.parametrize(
    ("name", "token", "id"),
    [
        ("llama3", "<|eot_id|>", 128_009),
        ("llama3", "<|reserved_special_token_245|>", 128_255),
        ("llama4", "<|eot|>", 200_008),
        ("llama4", "<|python_start|>", 200_016),
        ("llama4", "<|image_start|>", 200_080),
        ("qwen3_6", "<think>", 248_068),
        ("qwen", "<|im_end|>", 151_645),
    ],
)
def test_a_known_special_token_has_its_published_id(name: str, token: str, id: int) -> None:
    assert KNOWN[name].special[token] == id
