"""Switches that only one version of a class takes, as both were seen to take them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from class_folders import of_class

from tokaudit.subject.effective.built_of_pieces import built_of_pieces
from tokaudit.subject.opening import open_subject
from tokaudit.subject.upstream.pipeline import family, in_five
from tokaudit.subject.upstream.tokenizer_class import class_named, every_class
from tokaudit.subject.upstream.versions import FIVE, FOUR


def schemes(stage: Any) -> list[str]:
    """Every way in which the steps of a stage put a mark before texts."""
    if isinstance(stage, dict):
        inner = [each for value in stage.values() for each in schemes(value)]
        return [*([stage["prepend_scheme"]] if "prepend_scheme" in stage else []), *inner]
    return [found for each in stage for found in schemes(each)] if isinstance(stage, list) else []


def test_version_5_of_a_class_without_the_switch_puts_the_mark_before_every_text() -> None:
    known = class_named("T5Tokenizer")
    assert known is not None
    stages = in_five(family(known.pipelines.in_five), known, lambda key: False)
    assert schemes(stages.pre_tokenizer) == ["always"]


def built_with_and_without(folder: Path) -> dict[object, list[Any]]:
    """The steps that each version builds where the switch is left out, null and off."""
    path = folder / "tokenizer_config.json"
    stated = json.loads(path.read_text("utf-8"))
    built: dict[object, list[Any]] = {}
    for value in (..., None, False):
        more = {} if value is ... else {"add_prefix_space": value}
        path.write_text(json.dumps({**stated, **more}), "utf-8")
        made = [built_of_pieces(open_subject(folder), version) for version in (FOUR, FIVE)]
        built[value] = [None if each is None else each.saved for each in made]
    return built


@pytest.mark.parametrize("name", ["LlamaTokenizer", "T5Tokenizer"])
def test_a_null_is_off_in_version_4_and_left_to_the_class_in_version_5(
    tmp_path: Path, name: str
) -> None:
    built = built_with_and_without(of_class(every_class()[name], tmp_path / name))
    assert built[None][0] == built[False][0] != built[...][0]
    assert built[None][1] == built[...][1]


def test_a_null_turns_off_what_a_class_of_version_5_does_by_default(tmp_path: Path) -> None:
    folder = of_class(every_class()["XLMRobertaTokenizer"], tmp_path / "folder")
    built = built_with_and_without(folder)
    assert built[None][1] == built[False][1] != built[...][1]
