"""The value that each loader takes for a key, and who says so, on five kinds of folders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from class_folders import of_class

import tokaudit
from tokaudit.report.recorded import LoaderValue, values_by_key
from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit.subject.upstream.versions import VERSIONS
from tokaudit_folders.folder import Folder
from tokaudit_folders.gguf_files import F32, I32, NORMAL, U32, UNKNOWN, gguf, tokenizer

FOUR, FIVE = (f"{version} (emulated)" for version in VERSIONS)
ALONE = "tokenizers (its file alone)"
BEGIN: dict[str, Any] = {
    "type": "TemplateProcessing",
    "single": [
        {"SpecialToken": {"id": "<s>", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
    ],
    "pair": [{"Sequence": {"id": name, "type_id": 0}} for name in "AB"],
    "special_tokens": {"<s>": {"id": "<s>", "ids": [2], "tokens": ["<s>"]}},
}


def cells(folder: Path) -> dict[str, dict[str, LoaderValue]]:
    with tokaudit.open(folder) as opened:
        return values_by_key(opened.loaded)


def said(row: dict[str, LoaderValue]) -> dict[str, tuple[str, str]]:
    return {loader: (cell.shown(), cell.source) for loader, cell in row.items()}


def llama(folder: Path, **settings: Any) -> Path:
    made = Folder.bpe("ab").added("<s>", "</s>").changed(post_processor=BEGIN)
    made = made.tokenizer_config(tokenizer_class="LlamaTokenizer", **settings)
    return made.config(vocab_size=4, eos_token_id=3, model_type="llama").write(folder)


def test_a_switch_of_llama_is_taken_by_version_4_alone_and_each_cell_names_its_source(
    tmp_path: Path,
) -> None:
    rows = cells(llama(tmp_path, add_eos_token=True, eos_token="</s>"))
    assert said(rows["after a text"]) == {
        FOUR: ("</s>", "default of LlamaTokenizer"),
        FIVE: ("absent", "stated nowhere"),
        ALONE: ("absent", "stated nowhere"),
    }
    assert said(rows["eos_token"])[FIVE] == ("</s>", "tokenizer_config.json#/eos_token")
    assert said(rows["bos_token"])[FIVE] == ("<s>", "default of LlamaTokenizer")
    assert said(rows["eos_token_id"])[FOUR] == ("3", "config.json#/eos_token_id")


def test_a_null_that_a_file_states_takes_the_place_of_the_class_s_token(tmp_path: Path) -> None:
    rows = cells(llama(tmp_path, eos_token=None))
    assert said(rows["eos_token"])[FOUR] == ("null", "tokenizer_config.json#/eos_token")


def test_the_map_of_roles_goes_first_where_there_is_no_table_of_added_tokens(
    tmp_path: Path,
) -> None:
    folder = llama(tmp_path, eos_token="a")
    (folder / "special_tokens_map.json").write_text('{"eos_token": {"content": "</s>"}}', "utf-8")
    source = "special_tokens_map.json#/eos_token/content"
    assert said(cells(folder)["eos_token"])[FIVE] == ("</s>", source)
    stated = folder / "tokenizer_config.json"
    table = {**json.loads(stated.read_text("utf-8")), "added_tokens_decoder": {}}
    stated.write_text(json.dumps(table), "utf-8")
    assert said(cells(folder)["eos_token"])[FIVE] == ("a", "tokenizer_config.json#/eos_token")


def test_an_empty_generation_config_leaves_generation_without_a_stop(tmp_path: Path) -> None:
    folder = llama(tmp_path)
    (folder / "generation_config.json").write_text("{}", "utf-8")
    assert said(cells(folder)["eos_token_id"])[FIVE] == ("absent", "stated nowhere")


def test_files_of_templates_go_before_the_key(tmp_path: Path) -> None:
    named = [{"name": "default", "template": "a"}, {"name": "tool_use", "template": "b"}]
    folder = llama(tmp_path, chat_template=named)
    rows = cells(folder)
    key = "tokenizer_config.json#/chat_template"
    assert said(rows["chat_template"])[FOUR] == ("default, tool_use", key)
    (folder / "chat_template.jinja").write_text("c", "utf-8")
    assert said(cells(folder)["chat_template"])[FOUR] == ("default", "chat_template.jinja")


def test_a_side_is_of_the_block_where_no_setting_states_it(tmp_path: Path) -> None:
    block = {"strategy": "BatchLongest", "direction": "Right", "pad_to_multiple_of": None}
    block |= {"pad_id": 2, "pad_type_id": 0, "pad_token": "<s>"}
    folder = Folder.bpe("ab").added("<s>").changed(padding=block)
    rows = cells(folder.tokenizer_config(tokenizer_class="LlamaTokenizer").write(tmp_path))
    assert said(rows["padding_side"])[FIVE] == ("right", "tokenizer.json#/padding/direction")
    assert said(rows["pad_token"])[FOUR] == ("<s>", "tokenizer.json#/padding/pad_token")


@pytest.mark.parametrize("name", ["BertTokenizer", "WhisperTokenizer"])
def test_the_defaults_of_a_class_are_named_with_it(tmp_path: Path, name: str) -> None:
    rows = cells(of_class(every_class()[name], tmp_path / name))
    assert said(rows["eos_token" if name[0] == "W" else "sep_token"])[FIVE] in (
        ("<|endoftext|>", f"default of {name}"),
        ("[SEP]", f"default of {name}"),
    )


def encoder(folder: Path) -> Path:
    made = llama(folder, model_max_length=4096)
    kinds = {"Transformer": "", "Pooling": "1_Pooling"}
    listed = [{"path": path, "type": f"a.{kind}"} for kind, path in kinds.items()]
    (made / "modules.json").write_text(json.dumps(listed), "utf-8")
    return made


def test_a_sentence_encoder_states_its_own_length_and_pooling(tmp_path: Path) -> None:
    folder = encoder(tmp_path)
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 256}', "utf-8")
    (folder / "1_Pooling").mkdir()
    stated = '{"pooling_mode_mean_tokens": true, "pooling_mode_cls_token": false}'
    (folder / "1_Pooling" / "config.json").write_text(stated, "utf-8")
    rows, name = cells(folder), "sentence-transformers 5.7.0 (its files)"
    assert said(rows["max_seq_length"]) == {
        name: ("256", "sentence_bert_config.json#/max_seq_length")
    }
    assert said(rows["pooling"])[name] == (
        "mean",
        "1_Pooling/config.json#/pooling_mode_mean_tokens",
    )


def test_a_sentence_encoder_without_a_length_has_the_tokenizer_s_up_to_its_positions(
    tmp_path: Path,
) -> None:
    folder = encoder(tmp_path)
    rows, name = cells(folder), "sentence-transformers 5.7.0 (its files)"
    assert said(rows["max_seq_length"])[name] == ("2048", "default of a llama")
    assert said(rows["pooling"])[name] == ("mean", "default of every class")
    (folder / "sentence_bert_config.json").write_text("{}", "utf-8")
    (folder / "sentence_xlnet_config.json").write_text('{"do_lower_case": true}', "utf-8")
    source = "sentence_xlnet_config.json#/do_lower_case"
    assert said(cells(folder)["do_lower_case"])[name] == ("true", source)


def test_a_default_prompt_that_is_none_of_the_prompts_is_refused(tmp_path: Path) -> None:
    folder, name = encoder(tmp_path), "sentence-transformers 5.7.0 (its files)"
    stated = {"prompts": {"query": "q: "}, "default_prompt_name": "passage"}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(stated), "utf-8")
    rows = cells(folder)
    assert said(rows["prompts"])[name][0] == '{"document": "", "query": "q: "}'
    assert said(rows["default_prompt_name"])[name][0].startswith("refused: ValueError")


def test_a_gguf_next_to_its_json_is_a_column_of_its_own(tmp_path: Path) -> None:
    folder = llama(tmp_path)
    tokens = ["<unk>", "a", "b"]
    kinds = (I32, [UNKNOWN, NORMAL, NORMAL])
    keys = tokenizer("llama", tokens, scores=(F32, [0.0, -1.0, -2.0]), token_type=kinds)
    (folder / "model.gguf").write_bytes(gguf({**keys, "tokenizer.ggml.eos_token_id": (U32, 2)}))
    rows = cells(folder)
    source = "model.gguf#tokenizer.ggml.eos_token_id"
    assert said(rows["eos_token_id"])["llama.cpp (model.gguf)"] == ("2", source)
    assert [*rows["tokenizer file"]] == [FOUR, FIVE, ALONE, "llama.cpp (model.gguf)"]


def test_what_a_version_refuses_is_its_only_cell(tmp_path: Path) -> None:
    folder = Folder.bpe("ab").tokenizer_config(tokenizer_class="TokenizersBackend").write(tmp_path)
    rows = cells(folder)
    assert said(rows["tokenizer_class"])[FOUR][0].startswith("refused: ValueError")
    assert FOUR not in rows["padding_side"]
    assert FIVE in rows["padding_side"]
