"""What strangers write in the lines of small formats is named, not run and not believed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from format_files import read


@pytest.mark.parametrize(
    "line",
    ["None 1", "5 5", f"{10**30} 3", "[300] 1", "{} 0", "1e999 1", "(" * 5000 + " 1", "'a' 2"],
    ids=lambda line: line[:12],
)
def test_an_rwkv_line_that_is_no_text_is_named(tmp_path: Path, line: str) -> None:
    _, error = read(tmp_path, {"rwkv.txt": f"1 'a' 1\n2 {line}\n"})
    assert "rwkv.txt at line 2: is not an id, literal and length" in error


@pytest.mark.parametrize("id", [-1, 2**32])
def test_an_rwkv_id_beyond_32_bits_is_named(tmp_path: Path, id: int) -> None:
    _, error = read(tmp_path, {"rwkv.txt": f"1 'a' 1\n{id} 'b' 1\n"})
    assert "rwkv.txt at line 2" in error


def test_a_tekken_file_cannot_claim_two_thousand_million_special_tokens(tmp_path: Path) -> None:
    claim = {"default_num_special_tokens": 2 * 10**9, "default_vocab_size": 2 * 10**9}
    content = {"config": {"pattern": "a", **claim}, "vocab": []}
    _, error = read(tmp_path, {"tekken.json": json.dumps(content)})
    assert "/config/default_num_special_tokens: is 2000000000; expected a count below" in error
