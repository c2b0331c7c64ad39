"""What sentence-transformers takes of an encoder and of its base, by the words of any version."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tokaudit_folders import sick

pytestmark = pytest.mark.usefixtures("processes")
Ask = Callable[..., list[Any]]
MODULES, POOLING, LENGTH = "modules.json", "1_Pooling/config.json", "sentence_bert_config.json"
PROMPTS = "config_sentence_transformers.json"
KINDS = ("Transformer", "Pooling", "Normalize")
SOUND: Mapping[str, Any] = {
    MODULES: [
        {"path": f"{at}_{kind}" if at else "", "type": kind} for at, kind in enumerate(KINDS)
    ],
    POOLING: {"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False},
    LENGTH: {"max_seq_length": 128, "do_lower_case": False},
    PROMPTS: {"prompts": {"query": "q: "}, "similarity_fn_name": "cosine"},
}


def encoder(folder: Path, **files: Any) -> Path:
    made = sick.healthy(folder)
    (made / "1_Pooling").mkdir()
    for name, stated in {**SOUND, **files}.items():
        (made / name).write_text(json.dumps(stated), "utf-8")
    return made


def said(ask: Ask, folder: Path, file: str, stated: Any) -> list[tuple[str, str]]:
    subject, base = encoder(folder / "subject", **{file: stated}), encoder(folder / "base")
    found = ask("baseline/sentence-encoder", subject, base)
    return [(str(each.severity), each.cause) for each in found]


@pytest.mark.parametrize(
    ("file", "stated", "cause"),
    [
        (POOLING, {"pooling_mode_cls_token": True}, "pooling"),
        (POOLING, {**SOUND[POOLING], "include_prompt": False}, "include_prompt"),
        (MODULES, SOUND[MODULES][:2], "modules"),
        (LENGTH, {"max_seq_length": 64}, "max_seq_length"),
        (LENGTH, {"max_seq_length": 128, "do_lower_case": True}, "do_lower_case"),
        (PROMPTS, {"prompts": {"query": "q:"}}, "prompts"),
        (PROMPTS, {**SOUND[PROMPTS], "default_prompt_name": "query"}, "default_prompt_name"),
        (PROMPTS, {**SOUND[PROMPTS], "similarity_fn_name": "dot"}, "similarity_fn_name"),
    ],
)
def test_each_setting_that_makes_other_vectors_is_a_warning(
    ask: Ask, tmp_path: Path, file: str, stated: Any, cause: str
) -> None:
    assert said(ask, tmp_path, file, stated) == [("warning", cause)]


@pytest.mark.parametrize(
    ("file", "stated"),
    [
        (POOLING, {"pooling_mode": "mean", "include_prompt": True}),  # as version 5 writes it
        (LENGTH, {"max_seq_length": 128}),
        (PROMPTS, {"prompts": {"query": "q: ", "document": ""}, "similarity_fn_name": None}),
    ],
)
def test_other_words_for_the_same_are_silent(
    ask: Ask, tmp_path: Path, file: str, stated: Any
) -> None:
    assert said(ask, tmp_path, file, stated) == []


def test_a_prompt_more_than_the_bases_is_information(ask: Ask, tmp_path: Path) -> None:
    more = {**SOUND[PROMPTS], "prompts": {"query": "q: ", "title": "t: "}}
    assert said(ask, tmp_path, PROMPTS, more) == [("info", "prompts")]
