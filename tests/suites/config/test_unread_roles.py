"""Roles that only special_tokens_map.json names, which loaders may pass over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.foundation.errors import NotApplicable
from tokaudit.products.chat.rendering.templates import special_tokens
from tokaudit.report.model import Severity
from tokaudit.subject.opening import open_subject
from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
TABLE: dict[str, Any] = {"added_tokens_decoder": {}, "tokenizer_class": "PreTrainedTokenizerFast"}


def of_map(**settings: object) -> Folder:
    folder = Folder.bpe("ab", ["a b"]).added("</s>")
    return folder.settings("special_tokens_map.json", eos_token="</s>").tokenizer_config(**settings)


@pytest.mark.parametrize(
    "settings",
    [TABLE, {**TABLE, "eos_token": None}, {**TABLE, "bos_token": "</s>"}],
)
def test_a_role_that_only_the_map_names_is_a_warning_where_there_is_a_table(
    tmp_path: Path, ask: Ask, settings: dict[str, Any]
) -> None:
    (found,) = ask("config/unread-roles", of_map(**settings).write(tmp_path))
    assert (found.severity, found.cause) == (Severity.WARNING, "eos_token")
    assert "do not read special_tokens_map.json, and use no token" in found.message


def test_it_is_an_error_where_a_template_writes_the_token(tmp_path: Path, ask: Ask) -> None:
    folder = of_map(**TABLE, chat_template="{{ messages[0].content }}{{ eos_token }}")
    (found,) = ask("config/unread-roles", folder.write(tmp_path))
    assert found.severity is Severity.ERROR


def test_a_role_that_the_settings_name_too_is_silent(tmp_path: Path, ask: Ask) -> None:
    assert ask("config/unread-roles", of_map(**TABLE, eos_token="</s>").write(tmp_path)) == []
    other = of_map(**TABLE, eos_token="ab").write(tmp_path)
    assert ask("config/unread-roles", other) == []  # which of two: agreement/special-tokens


def test_without_a_table_loaders_read_the_map(tmp_path: Path, ask: Ask) -> None:
    folder = of_map(tokenizer_class="PreTrainedTokenizerFast").write(tmp_path)
    with pytest.raises(NotApplicable):
        ask("config/unread-roles", folder)


def test_templates_are_given_what_loaders_read(tmp_path: Path) -> None:
    assert special_tokens(open_subject(str(of_map(**TABLE).write(tmp_path / "a")))) == {}
    without = of_map(tokenizer_class="PreTrainedTokenizerFast").write(tmp_path / "b")
    assert special_tokens(open_subject(str(without))) == {"eos_token": "</s>"}


def test_a_role_that_loaders_lose_is_lost_to_the_base(tmp_path: Path) -> None:
    base = of_map(**TABLE, eos_token="</s>").write(tmp_path / "base")
    lost = of_map(**TABLE).write(tmp_path / "lost")
    report = tokaudit.audit(lost, base=base, select=["baseline/special-roles"], tier="quick")
    (found,) = (each for result in report.results for each in result.findings)
    assert found.cause == "eos_token unstated"
