"""Ids and texts of processors' settings are tokens of the tokenizer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
CHECK, PROCESSOR = "config/processor-tokens", "processor_config.json"
BASE = Folder.bpe("ab").added("<image>").changed(normalizer=None).config(vocab_size=8)


def said(ask: Ask, folder: Folder, path: Path) -> list[tuple[str, str]]:
    return [(str(each.severity), each.cause) for each in ask(CHECK, folder.write(path))]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"image_token_id": 2}, []),
        ({"image_token_id": 8}, [("error", "no row")]),
        ({"image_token_id": 5}, [("warning", "no id")]),
        ({"image_token_id": -200}, []),
        ({"image_token_id": True}, []),
        ({"image_token_ids": [2, 900]}, [("error", "no row")]),
        ({"image_token": "<image>"}, []),
        ({"image_token": "<img>"}, [("warning", "no token")]),
        ({"num_image_tokens": 900, "image_token": "<image>"}, []),
    ],
)
def test_what_a_processor_names_is_a_token(
    tmp_path: Path, ask: Ask, value: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert said(ask, BASE.settings(PROCESSOR, image_processor=value), tmp_path) == expected


def test_a_model_whose_rows_no_file_states_leaves_a_warning(tmp_path: Path, ask: Ask) -> None:
    folder = Folder.bpe("ab").settings("preprocessor_config.json", image_token_id=900)
    assert said(ask, folder, tmp_path) == [("warning", "no id")]


def test_settings_that_speak_of_no_token_are_not_asked(tmp_path: Path, ask: Ask) -> None:
    with pytest.raises(NotApplicable):
        said(ask, BASE.settings(PROCESSOR, size={"height": 4}), tmp_path)
