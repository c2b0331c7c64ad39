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


@pytest.mark.parametrize(
    ("tokenizer_class", "config", "said"),
    [
        ("PreTrainedTokenizerFast", {}, ["warning"]),  # which makes types in version 4
        ("PreTrainedTokenizerFast", {"type_vocab_size": 2}, []),
        ("LlamaTokenizer", {}, []),
    ],
)
def test_a_class_for_any_tokenizer_makes_types_where_no_file_lists_the_inputs(
    tmp_path: Path, ask: Ask, tokenizer_class: str, config: dict[str, Any], said: list[str]
) -> None:
    folder = Folder.bpe("ab").tokenizer_config(tokenizer_class=tokenizer_class)
    folder = folder.config(architectures=["LlamaForCausalLM"], **config)
    found = ask("config/model-inputs", folder.write(tmp_path))
    assert [str(each.severity) for each in found] == said


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


CLIP, SIGLIP = (
    {"model_type": f"{kind}_vision_model", "image_size": 336} for kind in ("clip", "siglip")
)
LARGE, SMALL = ({"height": side, "width": side} for side in (336, 224))


@pytest.mark.parametrize(
    ("tower", "settings", "said"),
    [
        (CLIP, {"crop_size": LARGE, "size": {"shortest_edge": 336}}, []),
        (CLIP, {"crop_size": SMALL, "size": {"shortest_edge": 224}}, ["crop_size"]),
        (CLIP, {"crop_size": SMALL, "size": LARGE, "do_center_crop": False}, []),
        (CLIP, {"crop_size": LARGE, "size": SMALL, "do_center_crop": False}, ["size"]),
        (SIGLIP, {"size": SMALL}, ["size"]),
        (SIGLIP, {"size": LARGE}, []),
        ({"model_type": "another", "image_size": 336}, {"size": SMALL}, []),
        ({"model_type": ["x"], "image_size": None}, {"size": SMALL, "crop_size": 7}, []),
    ],
)
def test_pictures_of_another_size_than_the_tower_takes_are_an_error(
    tmp_path: Path, ask: Ask, tower: dict[str, Any], settings: dict[str, Any], said: list[str]
) -> None:
    folder = Folder.bpe("ab").settings("preprocessor_config.json", **settings)
    found = ask("config/model-inputs", folder.config(vision_config=tower).write(tmp_path))
    assert [(str(each.severity), each.cause) for each in found] == [("error", key) for key in said]


@pytest.mark.parametrize(
    ("tower", "count", "said"),
    [(CLIP, 1, []), (CLIP, 0, ["error"]), (SIGLIP, 0, []), (SIGLIP, 1, ["error"]), ({}, 0, [])],
)
def test_a_processor_that_counts_the_first_token_of_a_tower_wrong_is_an_error(
    tmp_path: Path, ask: Ask, tower: dict[str, Any], count: int, said: list[str]
) -> None:
    folder = Folder.bpe("ab").settings("processor_config.json", num_additional_image_tokens=count)
    found = ask("config/model-inputs", folder.config(vision_config=tower).write(tmp_path))
    assert [str(each.severity) for each in found] == said


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([], "has no attention_mask"),
        ("input_ids", "is no list, and so has no attention_mask"),
        (["input_ids", "attention_mask"], None),
        (["input_ids"], None),  # of any class, some of whose models take no mask
    ],
)
def test_inputs_without_a_mask_fill_batches_with_what_the_model_reads(
    tmp_path: Path, ask: Ask, names: object, said: str | None
) -> None:
    """As both versions of transformers do: one looks for the name in whatever is stated."""
    folder = Folder.bpe("ab").tokenizer_config(model_input_names=names)
    found = ask("config/model-inputs", folder.write(tmp_path))
    assert [said in each.message for each in found] == ([] if said is None else [True])
