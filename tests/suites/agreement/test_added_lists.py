"""Lists of added tokens and flags of roles, next to the tokenizer's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit_folders.folder import FLAGS, Folder

Ask = Callable[..., list[Any]]
CHECK, LIST = "agreement/added-tokens", "added_tokens.json"
OWN = Folder.bpe("ab", ["a b"]).added("<s>", "</s>", "<tool>")
MAP = "special_tokens_map.json"
DECLARED = {
    str(token["id"]): {key: value for key, value in token.items() if key != "id"}
    for token in OWN.tokenizer["added_tokens"]
}


def said(ask: Ask, folder: Folder, path: Path) -> list[tuple[str, str]]:
    return [(str(each.severity), each.cause) for each in ask(CHECK, folder.write(path))]


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ({"<s>": 3, "</s>": 4, "<tool>": 5}, []),
        ({"<s>": 3, "<tool>": 5}, [("warning", "unlisted")]),
    ],
)
def test_a_list_of_added_tokens_has_all_of_them(
    tmp_path: Path, ask: Ask, listed: dict[str, int], expected: list[tuple[str, str]]
) -> None:
    assert said(ask, OWN.file(LIST, listed).config(), tmp_path) == expected


def test_tokens_of_the_models_own_entries_need_no_list(tmp_path: Path, ask: Ask) -> None:
    folder = Folder.bpe({"a": 0, "<s>": 1}).added("<s>", "<tool>").file(LIST, {"<tool>": 2})
    assert said(ask, folder, tmp_path) == []


def test_a_list_may_be_a_part_where_the_settings_have_one(tmp_path: Path, ask: Ask) -> None:
    folder = OWN.tokenizer_config(added_tokens_decoder=DECLARED).file(LIST, {"<s>": 3})
    assert said(ask, folder, tmp_path) == []


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ({"lstrip": False}, []),
        ({"lstrip": True}, [("warning", "lstrip of a role")]),
        ({"rstrip": True}, [("warning", "rstrip of a role")]),
        ({"normalized": True}, []),  # published maps say so of tokens that are not
    ],
)
def test_a_role_has_the_flags_of_its_token(
    tmp_path: Path, ask: Ask, flags: dict[str, bool], expected: list[tuple[str, str]]
) -> None:
    stated = {"content": "</s>", **FLAGS, **flags}
    assert said(ask, OWN.settings(MAP, eos_token=stated), tmp_path) == expected


def test_flags_of_a_role_are_not_read_where_the_settings_list_its_token(
    tmp_path: Path, ask: Ask
) -> None:
    folder = OWN.settings(MAP, eos_token={"content": "</s>", **FLAGS, "lstrip": True})
    assert said(ask, folder.tokenizer_config(added_tokens_decoder=DECLARED), tmp_path) == []
