"""Control pieces that two copies name differently, where one of them lists no added tokens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit_folders import gguf_files as g
from tokaudit_folders.example_folders import sentencepiece
from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
UNKNOWN, CONTROL = 2, 3
PIECES = [["<unk>", UNKNOWN], ["<s>", CONTROL], ["</s>", CONTROL], "\u2581a", "b"]
TYPES = [g.UNKNOWN, g.CONTROL, g.CONTROL, g.NORMAL, g.NORMAL]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("<s>", []),
        ("<s", ["warning"]),
        ("<unused1>", []),  # a converter names what stands for nothing
    ],
)
def test_a_control_piece_with_another_name_in_the_gguf_file_is_a_warning(
    tmp_path: Path, ask: Ask, name: str, said: list[str]
) -> None:
    tokens = ["<unk>", name, "</s>", "\u2581a", "b"]
    keys = g.tokenizer(
        "llama",
        tokens,
        scores=(g.F32, [0.0] * 5),
        token_type=(g.I32, TYPES),
        pre=(g.TEXT, "default"),
    )
    folder = Folder.sentencepiece(sentencepiece({"pieces": PIECES})).gguf(keys).write(tmp_path)
    found = [each for each in ask("agreement/special-tokens", folder) if hasattr(each, "cause")]
    assert [str(each.severity) for each in found if each.cause == "names"] == said
