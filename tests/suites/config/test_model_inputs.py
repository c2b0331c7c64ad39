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


ENDS = {"cls": ["<s>", 2], "sep": ["</s>", 3]}
BERT = {"type": "BertProcessing", **ENDS}
ROBERTA = {"type": "RobertaProcessing", **ENDS, "trim_offsets": True, "add_prefix_space": False}


@pytest.mark.parametrize(
    ("processor", "settings", "said"),
    [
        (BERT, {"model_input_names": ALL}, ["error"]),
        (BERT, {"tokenizer_class": "PreTrainedTokenizerFast"}, ["warning"]),
        (BERT, {"tokenizer_class": "RobertaTokenizer"}, []),  # whose class makes no types
        (BERT, {}, []),
        (ROBERTA, {"model_input_names": ALL}, []),
        (ROBERTA, {"tokenizer_class": "PreTrainedTokenizerFast"}, []),
    ],
)
def test_types_that_the_model_has_no_row_for_are_found_where_the_class_makes_them(
    tmp_path: Path, ask: Ask, processor: object, settings: dict[str, Any], said: list[str]
) -> None:
    folder = Folder.bpe("ab").added("<s>", "</s>").changed(post_processor=processor)
    folder = folder.tokenizer_config(**settings).config(type_vocab_size=1)
    found = ask("config/model-inputs", folder.write(tmp_path))
    assert [str(each.severity) for each in found] == said


@pytest.mark.parametrize(
    ("stated", "said"), [("left", []), ("right", ["warning"]), ("both", ["error"])]
)
def test_a_side_that_the_tokenizers_own_block_does_not_cut_is_a_warning(
    tmp_path: Path, ask: Ask, stated: str, said: list[str]
) -> None:
    block = {"direction": "Left", "max_length": 256, "strategy": "LongestFirst", "stride": 0}
    folder = Folder.bpe("ab").changed(truncation=block).tokenizer_config(truncation_side=stated)
    found = ask("config/switches", folder.write(tmp_path))
    assert [str(each.severity) for each in found] == said
