"""How a sentence encoder pools, next to its tokenizer and its model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
POOLING, CHECK = "1_Pooling/config.json", "config/pooling"
FIRST, MEAN = "pooling_mode_cls_token", "pooling_mode_mean_tokens"
CLS, TEXT = {"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}
NAMED = {"[CLS]": {"id": "[CLS]", "ids": [3], "tokens": ["[CLS]"]}}


def template_of(*pieces: object) -> dict[str, object]:
    """A template for a single text, and its two texts without any token."""
    pair = [TEXT, {"Sequence": {"id": "B", "type_id": 0}}]
    template = {"type": "TemplateProcessing", "single": list(pieces), "pair": pair}
    return {**template, "special_tokens": NAMED}


def encoder(processor: object, **pooling: object) -> Folder:
    folder = Folder.bpe("ab", ["a b"]).added("[CLS]").changed(post_processor=processor)
    return folder.config(hidden_size=4).settings(POOLING, **pooling)


def said(ask: Ask, folder: Folder, path: Path) -> list[tuple[str, str]]:
    return [(str(each.severity), each.cause) for each in ask(CHECK, folder.write(path))]


@pytest.mark.parametrize(
    ("processor", "named", "expected"),
    [
        (template_of(CLS, TEXT), {}, []),
        (template_of(TEXT, CLS), {}, [("warning", FIRST)]),
        (template_of(TEXT), {"cls_token": "[CLS]"}, [("error", FIRST)]),
        (None, {"cls_token": "[CLS]"}, [("error", FIRST)]),
        (None, {"cls_token": "[GONE]"}, [("warning", FIRST)]),
    ],
)
def test_the_class_token_is_pooled_where_one_is_written(
    tmp_path: Path,
    ask: Ask,
    processor: object,
    named: dict[str, str],
    expected: list[tuple[str, str]],
) -> None:
    folder = encoder(processor, pooling_mode_cls_token=True).tokenizer_config(**named)
    assert said(ask, folder, tmp_path) == expected


@pytest.mark.parametrize("mode", [MEAN, "pooling_mode_lasttoken"])
def test_other_modes_ask_for_no_class_token(tmp_path: Path, ask: Ask, mode: str) -> None:
    folder = encoder(None, **{mode: True}).tokenizer_config(cls_token="[CLS]")
    assert said(ask, folder, tmp_path) == []


@pytest.mark.parametrize(
    ("model", "width", "expected"),
    [
        ({"hidden_size": 4}, 4, []),
        ({"hidden_size": 4}, 8, [("error", "word_embedding_dimension")]),
        ({"d_model": 8}, 4, [("error", "word_embedding_dimension")]),
        ({"d_model": 8, "hidden_size": 4}, 4, []),
        ({"vision_config": {"hidden_size": 4}}, 8, []),
    ],
)
def test_the_width_is_that_of_the_model(
    tmp_path: Path, ask: Ask, model: dict[str, Any], width: int, expected: list[tuple[str, str]]
) -> None:
    folder = Folder.bpe("ab", ["a b"]).config(**model)
    folder = folder.settings(POOLING, word_embedding_dimension=width)
    assert said(ask, folder, tmp_path) == expected


@pytest.mark.parametrize(
    ("modes", "expected"),
    [
        ({MEAN: False}, [("error", "pooling_mode")]),
        ({MEAN: False, FIRST: False}, [("error", "pooling_mode")]),
        ({MEAN: False, "pooling_mode_max_tokens": True}, []),
        ({FIRST: False}, []),  # the mean is taken where nothing is said of it
        ({MEAN: False, "pooling_mode": "cls"}, []),
    ],
)
def test_one_mode_is_on(
    tmp_path: Path, ask: Ask, modes: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert said(ask, encoder(template_of(CLS, TEXT), **modes), tmp_path) == expected


def test_a_folder_without_pooling_is_not_asked(tmp_path: Path, ask: Ask) -> None:
    with pytest.raises(NotApplicable):
        ask(CHECK, Folder.bpe("ab").config(hidden_size=4).write(tmp_path))
