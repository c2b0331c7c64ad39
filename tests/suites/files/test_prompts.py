"""The default prompt of a sentence encoder, by what its file states."""

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
