"""Sizes that a GGUF file declares next to the tokens that it lists."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit.report.model import Finding
from tokaudit_folders.folder import Folder
from tokaudit_folders.gguf_files import F32, I32, NORMAL, U32, UNKNOWN, gguf, tokenizer

Ask = Callable[..., list[Any]]


@pytest.mark.parametrize("key", ["llama.vocab_size", "acorn.decoder.text_vocab_size"])
@pytest.mark.parametrize(("size", "expected"), [(3, []), (2, ["warning"]), (5, ["warning"])])
def test_a_size_that_is_not_the_number_of_listed_tokens_is_a_warning(
    tmp_path: Path, ask: Ask, key: str, size: int, expected: list[str]
) -> None:
    kinds = (I32, [UNKNOWN, NORMAL, NORMAL])
    keys = tokenizer(
        "llama", ["<unk>", "a", "b"], scores=(F32, [0.0, -1.0, -2.0]), token_type=kinds
    )
    folder = Folder.bpe("ab").gguf({**keys, key: (U32, size)}).write(tmp_path)
    (folder / "tokenizer.json").unlink()
    found = ask("embeddings/config-vocab-size", folder)
    assert [str(each.severity) for each in found] == expected


@pytest.mark.parametrize(
    ("name", "rows", "expected"),
    [("token_embd.weight", 3, []), ("token_embd.weight", 8, ["refused"])],
)
def test_a_gguf_file_has_as_many_rows_as_tokens(
    tmp_path: Path, ask: Ask, name: str, rows: int, expected: list[str]
) -> None:
    kinds = (I32, [UNKNOWN, NORMAL, NORMAL])
    keys = tokenizer(
        "llama", ["<unk>", "a", "b"], scores=(F32, [0.0, -1.0, -2.0]), token_type=kinds
    )
    (tmp_path / "model.gguf").write_bytes(gguf(keys, [(name, [2, rows], 0, 0)], 8 * rows))
    found = ask("embeddings/rows", tmp_path)
    assert [each.cause for each in found if isinstance(each, Finding)] == expected
