"""Which templates a subject states, and the one that loaders take."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tokaudit.products.chat.rendering.templates import chat_templates, special_tokens
from tokaudit.subject.opening import open_subject
from tokaudit_folders.folder import Folder


def found(folder: Path) -> list[tuple[str, str, str]]:
    """Name, text and file of each template, the preferred one first."""
    return [(t.name, t.text, t.file) for t in chat_templates(open_subject(str(folder)))]


def write(folder: Path, name: str, value: Any) -> None:
    """A file of the subject."""
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))


def test_the_jinja_file_comes_before_every_other(tmp_path: Path) -> None:
    """The processor's come last, since only processors read them."""
    Folder.bpe({}).write(tmp_path)
    write(tmp_path, "processor_config.json", {"chat_template": "processor's"})
    write(tmp_path, "chat_template.json", {"chat_template": "legacy"})
    write(tmp_path, "tokenizer_config.json", {"chat_template": "config's"})
    write(tmp_path, "chat_template.jinja", "jinja's")
    write(tmp_path, "additional_chat_templates/tool_use.jinja", "tools'")
    assert found(tmp_path) == [
        ("default", "jinja's", "chat_template.jinja"),
        ("default", "config's", "tokenizer_config.json"),
        ("default", "legacy", "chat_template.json"),
        ("default", "processor's", "processor_config.json"),
        ("tool_use", "tools'", "additional_chat_templates/tool_use.jinja"),
    ]


def test_a_list_of_templates_keeps_its_names(tmp_path: Path) -> None:
    """The one named default is that of plain chats, wherever it is in the list."""
    Folder.bpe({}).write(tmp_path)
    named = [{"name": "tool_use", "template": "T"}, {"name": "default", "template": "D"}]
    write(tmp_path, "tokenizer_config.json", {"chat_template": named})
    file = "tokenizer_config.json"
    assert found(tmp_path) == [("default", "D", file), ("tool_use", "T", file)]


def test_the_special_tokens_that_templates_are_given_are_those_of_the_config(
    tmp_path: Path,
) -> None:
    """As text, whether stated as text or with flags; null is left out."""
    Folder.bpe({}).write(tmp_path)
    config = {
        "bos_token": {"content": "<s>", "lstrip": False},
        "eos_token": "</s>",
        "pad_token": None,
    }
    write(tmp_path, "tokenizer_config.json", config)
    assert special_tokens(open_subject(str(tmp_path))) == {"bos_token": "<s>", "eos_token": "</s>"}
