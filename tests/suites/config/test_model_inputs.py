"""The inputs that the settings have a tokenizer make, compared with those that the model takes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
ALL = ["input_ids", "token_type_ids", "attention_mask"]


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"architectures": ["LlamaForCausalLM"]}, ["warning"]),
        ({"architectures": ["BertForCausalLM"], "type_vocab_size": 2}, []),
        ({"architectures": ["BertModel"]}, []),
        ({}, []),
    ],
)
def test_types_for_a_decoder_that_declares_none_are_a_warning(
    tmp_path: Path, ask: Ask, config: dict[str, Any], said: list[str]
) -> None:
    folder = Folder.bpe("ab").tokenizer_config(model_input_names=ALL).config(**config)
    found = ask("config/model-inputs", folder.write(tmp_path))
    assert [str(each.severity) for each in found] == said


def test_without_types_nothing_is_said_of_a_decoder(tmp_path: Path, ask: Ask) -> None:
    folder = Folder.bpe("ab").tokenizer_config(model_input_names=["input_ids", "attention_mask"])
    folder = folder.config(architectures=["LlamaForCausalLM"])
    assert ask("config/model-inputs", folder.write(tmp_path)) == []
