"""A token that loaders add because settings name it needs a row."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
CHECK = "embeddings/added-rows"


def listed(rows: int, *tokens: str) -> Folder:
    settings = {"tokenizer_class": "PreTrainedTokenizerFast"}
    folder = Folder.bpe("ab").added("</s>").weights(embed_tokens__weight=(rows, 4))
    return folder.tokenizer_config(additional_special_tokens=[*tokens], **settings)


def test_a_listed_token_without_a_row_is_an_error_that_names_it(tmp_path: Path, ask: Ask) -> None:
    [found] = ask(CHECK, listed(3, "<|im_start|>").write(tmp_path))
    assert (str(found.severity), found.cause) == ("error", "added by loaders")
    assert "1 token that tokenizer.json lacks: '<|im_start|>'" in found.message
    assert "from id 3 on, but embed_tokens.weight has only 3 rows" in found.message


@pytest.mark.parametrize(
    "folder",
    [listed(4, "<|im_start|>"), listed(3, "</s>"), listed(3)],
    ids=["spare", "own", "none"],
)
def test_a_token_with_a_row_is_no_finding(tmp_path: Path, ask: Ask, folder: Folder) -> None:
    assert ask(CHECK, folder.write(tmp_path)) == []
