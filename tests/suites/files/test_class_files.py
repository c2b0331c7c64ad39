"""Files that a named class is made from or written in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
OWN = {"AutoTokenizer": ["tokenization_own.Own", None]}


def with_code(model_type: str, auto_map: dict[str, Any]) -> Folder:
    folder = Folder.bpe("ab").weights(embed_tokens__weight=(2, 4))
    return folder.config(model_type=model_type).tokenizer_config(auto_map=auto_map)


FAST = {"AutoTokenizer": ["slow_code.Own", "tokenization_own.OwnFast"]}


@pytest.mark.parametrize("model_type", ["qwen2", "own"])
@pytest.mark.parametrize("auto_map", [OWN, FAST])
def test_a_class_of_the_folder_without_its_file_is_a_warning(
    tmp_path: Path, ask: Ask, model_type: str, auto_map: dict[str, Any]
) -> None:
    folder = with_code(model_type, auto_map)
    (found,) = ask("files/class-files", folder.write(tmp_path))
    assert (found.severity, found.cause) == ("warning", "tokenization_own.py")


@pytest.mark.parametrize(
    ("auto_map", "file"),
    [
        (OWN, "tokenization_own.py"),
        ({"AutoTokenizer": ["acorn/base--tokenization_own.Own", None]}, "other.py"),
    ],
)
def test_a_class_whose_file_is_here_or_in_another_repository_is_fine(
    tmp_path: Path, ask: Ask, auto_map: dict[str, Any], file: str
) -> None:
    folder = with_code("own", auto_map).file(file, "")
    with pytest.raises(NotApplicable):
        ask("files/class-files", folder.write(tmp_path))


def test_a_copy_of_the_tokenizer_alone_needs_no_code(tmp_path: Path, ask: Ask) -> None:
    folder = Folder.bpe("ab").tokenizer_config(auto_map=OWN)
    with pytest.raises(NotApplicable):
        ask("files/class-files", folder.write(tmp_path))
