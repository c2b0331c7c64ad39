"""A pattern that is nearly a published one, with the text that shows it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit_folders.folder import Folder
from tokaudit_reference.text.published_patterns import CL100K, GPT2, PATTERNS
from tokaudit_suites.pipeline.near_pattern import cut

Ask = Callable[..., list[Any]]
CHECK = "pipeline/near-pattern"


def split(pattern: str) -> Folder:
    step = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"}
    return Folder.bpe("ab").changed(pre_tokenizer={**step, "invert": False})


@pytest.mark.parametrize(
    ("pattern", "name", "text"),
    [
        (GPT2.replace("'s|'t|'re|'ve|'m|'ll|'d", "'(?:[sdtm]|[rlve][re])"), "gpt2", "we'll go"),
        (GPT2.replace("|'m", ""), "gpt2", "I'm"),
        (CL100K.replace("{1,3}", "{1,4}"), "cl100k", "12345"),
        (CL100K.replace(r"[\r\n]*|", "|"), "cl100k", "end.\n"),
    ],
)
def test_a_slip_is_information_with_the_text_that_is_cut_differently(
    tmp_path: Path, ask: Ask, pattern: str, name: str, text: str, processes: None
) -> None:
    (found,) = ask(CHECK, split(pattern).write(tmp_path))
    assert (str(found.severity), found.evidence[0].text) == ("info", text)
    assert f"nearly the published pattern of {name}," in found.message


@pytest.mark.parametrize("pattern", [GPT2, CL100K, GPT2.replace("'s|'t", "'[st]")])
def test_a_published_pattern_in_any_spelling_is_not_told(
    tmp_path: Path, ask: Ask, pattern: str, processes: None
) -> None:
    assert ask(CHECK, split(pattern).write(tmp_path)) == []


@pytest.mark.parametrize("pattern", [r"\s+|\w+", "a" * 5_000])
def test_a_pattern_that_is_like_none_is_not_asked(
    tmp_path: Path, ask: Ask, pattern: str, processes: None
) -> None:
    with pytest.raises(NotApplicable):
        ask(CHECK, split(pattern).write(tmp_path))


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_a_published_pattern_loses_no_character(name: str) -> None:
    text = json.dumps({"a": "we'll go  to 12345 日本語\n\n"}, ensure_ascii=False)
    assert "".join(cut(PATTERNS[name], text)) == text
