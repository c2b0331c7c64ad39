"""The prompts of a sentence encoder, by what its file states."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit_folders.folder import Folder


@pytest.mark.parametrize(
    ("stated", "messages"),
    [
        (
            {"prompts": {"passage": "p: "}, "default_prompt_name": "passages"},
            [
                "config_sentence_transformers.json names 'passages' as the default prompt, but "
                "defines only 'passage': sentence-transformers 5.7.0 stops when it loads the "
                "encoder."
            ],
        ),
        (
            {"default_prompt_name": "passage"},
            [
                "config_sentence_transformers.json names 'passage' as the default prompt, but "
                "defines none: sentence-transformers 5.7.0 stops when it loads the encoder."
            ],
        ),
        (
            {"prompts": {"query": "q: "}, "default_prompt_name": "passage"},
            [
                "config_sentence_transformers.json names 'passage' as the default prompt, but "
                "defines only 'query': sentence-transformers 5.7.0 stops when it loads the "
                "encoder."
            ],
        ),
        ({"default_prompt_name": "query"}, []),
        ({"prompts": {"passage": "p: "}, "default_prompt_name": None}, []),
        ({"prompts": {"passage": "p: "}}, []),
        ({"prompts": ["passage"], "default_prompt_name": "passage"}, []),
        (["passage"], []),
    ],
)
def test_a_default_prompt_that_is_not_stated_is_an_error(
    tmp_path: Path, stated: Any, messages: list[str]
) -> None:
    Folder.bpe("ab").write(tmp_path)
    (tmp_path / "config_sentence_transformers.json").write_text(json.dumps(stated))
    report = tokaudit.audit(tmp_path, select=["files/prompts"], tier="quick")
    assert [f.message for result in report.results for f in result.findings] == messages


QUERY, PASSAGE, SEARCHED = "query: ", "passage: ", "search_query: "


@pytest.mark.parametrize(
    ("prompts", "expected"),
    [
        ({"query": PASSAGE, "passage": QUERY}, ["warning exchanged"]),
        ({"query": "search_document: ", "document": SEARCHED}, ["warning exchanged"]),
        ({"query": "", "passage": QUERY}, ["warning exchanged"]),
        ({"query": QUERY, "passage": PASSAGE}, []),
        ({"query": QUERY, "passage": PASSAGE, "document": PASSAGE}, []),
        ({"query": SEARCHED, "search_query": SEARCHED}, []),
        ({"query": "task: search | query: ", "Clustering": "task: clustering | query: "}, []),
        ({"query": "Find the relevant passage: ", "passage": ""}, []),
        ({"query": None, "passage": ["query"]}, []),
    ],
)
def test_a_prompt_with_the_name_of_another_that_lacks_it_is_a_warning(
    tmp_path: Path, prompts: Any, expected: list[str]
) -> None:
    Folder.bpe("ab").write(tmp_path)
    (tmp_path / "config_sentence_transformers.json").write_text(json.dumps({"prompts": prompts}))
    found = tokaudit.run_check("files/prompts", tmp_path, tier="quick").findings
    assert [f"{each.severity} {each.cause}" for each in found] == expected
