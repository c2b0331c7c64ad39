"""A length is a whole number above zero, whatever a file of JSON can spell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]


@pytest.mark.parametrize(
    ("length", "severities"),
    [
        (512, []),
        (512.0, []),
        (1e30, []),
        (10**400, []),
        (float("inf"), []),
        (0, ["error"]),
        (-1, ["error"]),
        (2.5, ["error"]),
        (float("nan"), ["error"]),
    ],
)
def test_a_maximum_length_that_is_none_is_an_error(
    tmp_path: Path, ask: Ask, length: float, severities: list[str]
) -> None:
    folder = Folder.bpe("ab").tokenizer_config(model_max_length=length).write(tmp_path)
    found = ask("config/lengths", folder)
    assert [str(finding.severity) for finding in found] == severities


@pytest.mark.parametrize(
    ("file", "key"),
    [
        ("tokenizer_config.json", "model_max_length"),
        ("sentence_bert_config.json", "max_seq_length"),
    ],
)
@pytest.mark.parametrize(("length", "severities"), [(16, []), (15, ["warning"]), (1, ["warning"])])
def test_a_length_that_leaves_no_room_for_a_sentence_is_a_warning(
    tmp_path: Path, ask: Ask, file: str, key: str, length: int, severities: list[str]
) -> None:
    found = ask("config/lengths", Folder.bpe("ab").settings(file, **{key: length}).write(tmp_path))
    assert [str(finding.severity) for finding in found] == severities
