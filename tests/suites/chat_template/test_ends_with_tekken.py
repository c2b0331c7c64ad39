"""A template next to Mistral's own file writes special tokens, which its loaders parse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from copied_folders import with_tekken

Ask = Callable[..., list[Any]]
TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}{% if m.role == 'user' %}[INST]{{ m.content }}[/INST]"
    "{% elif m.role == 'assistant' %}{{ m.content }}{{ eos_token }}{% endif %}{% endfor %}"
)


def test_an_answer_that_ends_with_eos_ends_with_a_stop(
    tmp_path: Path, ask: Ask, processes: None
) -> None:
    made = with_tekken().tokenizer_config(bos_token="<s>", eos_token="</s>").config(eos_token_id=2)
    folder = made.file("chat_template.jinja", TEMPLATE).write(tmp_path)
    found = [finding.message for finding in ask("chat_template/stops", folder)]
    assert [message for message in found if "not an added token" in message] == []
