"""Which token a gap has, by the settings, the tokenizer and the card."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
CARD, SPECIAL, ROLES = (
    "special_tokens/card-mask",
    "special_tokens/eos-is-special",
    "special_tokens/role-ids",
)


def masked(name: str = "[MASK]") -> Folder:
    return Folder.bpe("ab", ["a b"]).added("[CLS]", "[MASK]").tokenizer_config(mask_token=name)


def said(ask: Ask, check: str, folder: Folder, path: Path) -> list[tuple[str, str]]:
    return [(str(each.severity), each.cause) for each in ask(check, folder.write(path))]


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ('mask_token: "<mask>"', True),
        ("mask_token: '[MASK]'", False),
        ("widget:\n- text: a <mask> b", True),
        ("widget:\n- text: a [MASK] b", False),
        ("widget:\n- text: a [MASK] or <mask>", False),
        ("widget:\n- text: a gap", False),
        ("license: mit", False),
    ],
)
def test_a_card_masks_with_the_tokenizers_own_token(
    tmp_path: Path, ask: Ask, head: str, found: bool
) -> None:
    folder = masked().file("README.md", f"---\n{head}\n---\n# About <mask>\n")
    assert said(ask, CARD, folder, tmp_path) == ([("warning", "card")] if found else [])


def test_what_a_card_says_below_its_head_is_not_read(tmp_path: Path, ask: Ask) -> None:
    folder = masked().file("README.md", "# About\n- text: a <mask> b\n")
    assert said(ask, CARD, folder, tmp_path) == []


def test_a_tokenizer_without_a_mask_has_no_card_to_compare(tmp_path: Path, ask: Ask) -> None:
    folder = Folder.bpe("ab").file("README.md", "---\nmask_token: <mask>\n---\n")
    with pytest.raises(NotApplicable):
        ask(CARD, folder.write(tmp_path))


def test_a_mask_of_the_vocabulary_that_is_no_added_token_is_a_warning(
    tmp_path: Path, ask: Ask
) -> None:
    folder = Folder.bpe({"a": 0, "b": 1, "[MASK]": 2}).added("[CLS]")
    folder = folder.tokenizer_config(mask_token="[MASK]")
    assert said(ask, SPECIAL, folder, tmp_path) == [("warning", "mask")]


def test_a_mask_that_is_an_added_token_is_fine(tmp_path: Path, ask: Ask) -> None:
    assert said(ask, SPECIAL, masked(), tmp_path) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [("ab", [("error", "mask spelling")]), ("[CLS]", [("error", "mask spelling")]), ("[MASK]", [])],
)
def test_a_mask_is_no_word_where_the_tokenizer_has_one(
    tmp_path: Path, ask: Ask, name: str, expected: list[tuple[str, str]]
) -> None:
    assert said(ask, ROLES, masked(name), tmp_path) == expected


def test_a_word_may_be_the_mask_of_a_tokenizer_without_another(tmp_path: Path, ask: Ask) -> None:
    folder = Folder.bpe("ab", ["a b"]).added("[CLS]").tokenizer_config(mask_token="ab")
    assert said(ask, ROLES, folder, tmp_path) == []
