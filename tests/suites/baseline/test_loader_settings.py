"""Settings next to a tokenizer that make loaders act differently from its base."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit_folders.folder import Folder

pytestmark = pytest.mark.usefixtures("processes")
Ask = Callable[..., list[Any]]
CHECK, SETTINGS = "baseline/loader-settings", "tokenizer_config.json"
PLAIN = {"tokenizer_class": "LlamaTokenizer", "bos_token": "<s>", "add_bos_token": True}
MODEL = Folder.bpe("ab").added("<s>")
WITH_DIGITS = Folder.bpe("ab0123456789").added("<s>")


def said(
    ask: Ask, path: Path, mine: dict[str, Any], theirs: dict[str, Any], model: Folder = MODEL
) -> list[Any]:
    subject = model.settings(SETTINGS, **PLAIN | mine).write(path / "subject")
    base = model.settings(SETTINGS, **PLAIN | theirs).write(path / "base")
    return list(ask(CHECK, subject, base))


@pytest.mark.parametrize(
    ("mine", "expected"),
    [
        ({}, []),
        ({"add_bos_token": False}, [("warning", "BOS and EOS switches", True)]),
        ({"model_max_length": 64}, []),  # the base states none
        ({"tokenizer_class": "LlamaTokenizerFast"}, []),
        ({"chat_template": "{{ messages }}"}, []),
    ],
)
def test_a_setting_that_differs_is_named(
    ask: Ask, tmp_path: Path, mine: dict[str, Any], expected: list[tuple[str, str, bool]]
) -> None:
    found = said(ask, tmp_path, mine, {})
    assert [(str(e.severity), e.cause, bool(e.evidence)) for e in found] == expected


def test_a_length_that_the_base_has_and_this_one_lacks_is_a_warning(
    ask: Ask, tmp_path: Path
) -> None:
    (found,) = said(ask, tmp_path, {}, {"model_max_length": 64}, WITH_DIGITS)
    assert (str(found.severity), found.cause) == ("warning", "model max length")
    assert "model_max_length is without a limit (from LlamaTokenizer, " in found.message


@pytest.mark.parametrize("unlimited", [None, 10**30, 10**21])
def test_every_length_above_ten_to_the_twentieth_cuts_nothing(
    ask: Ask, tmp_path: Path, unlimited: int | None
) -> None:
    assert said(ask, tmp_path, {"model_max_length": unlimited}, {}) == []


def test_a_setting_that_no_text_shows_is_information(ask: Ask, tmp_path: Path) -> None:
    (found,) = said(ask, tmp_path, {"truncation_side": "left"}, {"truncation_side": "right"})
    assert (str(found.severity), found.cause) == ("info", "truncation side")


def test_the_subjects_own_file_is_blamed_and_the_bases_is_next_to_it(
    ask: Ask, tmp_path: Path
) -> None:
    (found,) = said(ask, tmp_path, {"add_bos_token": False}, {})
    assert [(p.file.split("/")[-1], p.pointer, p.outside) for p in found.places] == [
        (SETTINGS, "/add_bos_token", False),
        (SETTINGS, "/add_bos_token", True),
    ]
    assert found.places[0].file == SETTINGS
