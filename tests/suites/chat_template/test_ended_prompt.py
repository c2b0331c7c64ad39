"""An end that loaders put after a prompt, before the answer begins."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit.subject.upstream.versions import VERSIONS
from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
CHECK = "chat_template/ended-prompt"
TEMPLATE = (
    "{% for m in messages %}{{ m.role }}: {{ m.content }}</s>{% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)


def ending(token: str) -> dict[str, Any]:
    text = {"Sequence": {"id": "A", "type_id": 0}}
    return {
        "type": "TemplateProcessing",
        "single": [text, {"SpecialToken": {"id": token, "type_id": 0}}],
        "pair": [text, {"Sequence": {"id": "B", "type_id": 0}}],
        "special_tokens": {token: {"id": token, "ids": [2], "tokens": [token]}},
    }


def chat(token: str) -> Folder:
    folder = Folder.bpe("ab").added("</s>", "<x>").changed(post_processor=ending(token))
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "</s>"}
    return folder.template(TEMPLATE).tokenizer_config(**settings)


def test_an_end_after_every_text_is_a_warning_that_names_both_versions(
    tmp_path: Path, ask: Ask, processes: None
) -> None:
    [found] = ask(CHECK, chat("</s>").write(tmp_path))
    assert (str(found.severity), found.cause) == ("warning", "end after the prompt")
    assert all(version in found.message for version in VERSIONS)


def test_another_token_after_every_text_is_no_finding(
    tmp_path: Path, ask: Ask, processes: None
) -> None:
    assert ask(CHECK, chat("<x>").write(tmp_path)) == []


def test_an_encoder_whose_vector_is_that_of_the_end_is_not_asked(
    tmp_path: Path, ask: Ask, processes: None
) -> None:
    with pytest.raises(NotApplicable, match="answers prompts"):
        ask(CHECK, chat("</s>").file("modules.json", []).write(tmp_path))
