"""Markers that look the same and are two texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
CHECK = "special_tokens/look-alikes"
PLAIN = Folder.bpe("ab")


def found(ask: Ask, folder: Folder, path: Path) -> list[tuple[str, str]]:
    return [(str(each.severity), each.cause) for each in ask(CHECK, folder.write(path))]


@pytest.mark.parametrize(
    "other",
    ["<|\u0435nd|>", "<|end\u200b|>", "<\uff5cend\uff5c>", "<|end\ufe0f|>", "<|e\u00adnd|>"],
)
def test_a_second_token_of_the_same_look_is_a_warning(tmp_path: Path, ask: Ask, other: str) -> None:
    assert found(ask, PLAIN.added("<|end|>", other), tmp_path) == [("warning", "tokens")]


@pytest.mark.parametrize(
    "other", ["<|End|>", "<|ends|>", "<|e nd|>", "</end|>", "<||end|>", "<|é|>", "<|終|>"]
)
def test_a_token_of_another_look_is_none(tmp_path: Path, ask: Ask, other: str) -> None:
    assert found(ask, PLAIN.added("<|end|>", other), tmp_path) == []


def test_plain_characters_that_look_alike_in_some_fonts_are_none(tmp_path: Path, ask: Ask) -> None:
    assert (
        found(ask, PLAIN.added("<|x_1|>", "<|x_l|>", "<|x_I|>", "<|O|>", "<|0|>"), tmp_path) == []
    )


@pytest.mark.parametrize(
    "written", ["<|end|>", "<\uff5c\u0435nd\uff5c>", "<\uff5cen\u200bd\uff5c>"]
)
def test_a_template_that_writes_the_look_and_not_the_token_is_an_error(
    tmp_path: Path, ask: Ask, written: str
) -> None:
    folder = PLAIN.added("<\uff5cend\uff5c>").template(f"{{{{ messages[0].content }}}}{written}")
    assert found(ask, folder, tmp_path) == [("error", "template")]


def test_a_template_may_write_each_of_two_tokens(tmp_path: Path, ask: Ask) -> None:
    folder = PLAIN.added("<|end|>").template("{{ messages[0].content }}<|end|> <|user|>")
    assert found(ask, folder, tmp_path) == []


def test_without_a_marker_there_is_nothing_to_ask(tmp_path: Path, ask: Ask) -> None:
    with pytest.raises(NotApplicable):
        ask(CHECK, PLAIN.added("ab c").write(tmp_path))
