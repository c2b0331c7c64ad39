"""Settings files that no fact is read from, and whose loader refuses what they hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]


@pytest.mark.parametrize(
    ("name", "stated", "message"),
    [
        ("modules.json", "[] []", "is not JSON: Extra data"),
        ("modules.json", "{}", "is JSON, but not a list"),
        ("config_sentence_transformers.json", "[]", "is JSON, but not an object"),
        ("preprocessor_config.json", '{"size": }', "is not JSON: Expecting value"),
        ("adapter_config.json", '"r"', "is JSON, but not an object"),
    ],
)
def test_a_settings_file_that_its_loader_refuses_is_an_error(
    tmp_path: Path, ask: Ask, name: str, stated: str, message: str
) -> None:
    folder = Folder.bpe("ab").write(tmp_path)
    (folder / name).write_text(stated, "utf-8")
    (found,) = ask("files/kind", folder)
    assert str(found.severity) == "error"
    assert found.message.startswith(f"{name} {message}")


def test_settings_of_the_right_kind_are_silent(tmp_path: Path, ask: Ask) -> None:
    folder = Folder.bpe("ab").write(tmp_path)
    (folder / "modules.json").write_text("[]", "utf-8")
    (folder / "preprocessor_config.json").write_text("{}", "utf-8")
    assert ask("files/kind", folder) == []
