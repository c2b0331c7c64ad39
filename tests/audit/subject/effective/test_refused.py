"""What both versions of transformers refuse, by their records: settings, classes, files by version."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from class_folders import of_class

from tokaudit.subject.effective.class_choice import class_choice
from tokaudit.subject.effective.refused import refusals
from tokaudit.subject.effective.tokenizer_file import tokenizer_file_name
from tokaudit.subject.effective.value_forms import forms_of
from tokaudit.subject.opening import open_subject
from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_folders.folder import Folder
from tokaudit_loaders.drawn_values import VALUES

BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}


def refused(folder: Path, version: str) -> list[str]:
    return [each.key for each in refusals(open_subject(folder), version)]


def written(tmp_path: Path, model: dict[str, Any] | None = None, **settings: object) -> Path:
    folder = Folder.bpe("ab", ["a b"]).changed(pre_tokenizer=BYTES).tokenizer_config(**settings)
    return (folder if model is None else folder.config(**model)).write(tmp_path)


CASES = [
    ({"tokenizer_class": "TokenizersBackend"}, ["tokenizer_class"], []),
    ({"tokenizer_class": "PreTrainedTokenizerFast"}, [], []),
    ({"tokenizer_class": "AcornTokenizer"}, ["tokenizer_class"], []),
    ({"tokenizer_class": "ByT5TokenizerFast"}, ["tokenizer_class"], []),
    ({"extra_special_tokens": ["<s>"]}, ["extra_special_tokens"], []),
    ({"extra_special_tokens": {"image_token": "<s>"}}, [], []),
    ({"tokenizer_class": "GPT2Tokenizer", "add_prefix_space": None}, [], ["add_prefix_space"]),
    ({"tokenizer_class": "GPT2Tokenizer", "add_prefix_space": True}, [], []),
    ({"padding_side": "middle"}, ["padding_side"], ["padding_side"]),
    ({"padding_side": "left"}, [], []),
    ({"bos_token": 1}, ["bos_token"], ["bos_token"]),
    ({"bos_token": None}, [], []),
    ({"bos_token": {"content": "<s>"}}, ["bos_token"], ["bos_token"]),
    ({"bos_token": {"__type": "AddedToken", "content": "<s>"}}, [], []),
    ({"decode": True}, ["decode"], ["decode"]),
    ({"chat_template": ["{{ messages }}"]}, ["chat_template"], ["chat_template"]),
    ({"model_max_length": "512"}, ["model_max_length"], ["model_max_length"]),
    ({"additional_special_tokens": ["<s>", 3]}, *[["additional_special_tokens"]] * 2),
]


@pytest.mark.parametrize(("settings", "four", "five"), CASES)
def test_each_version_refuses_what_it_raised_on(
    tmp_path: Path, settings: dict[str, object], four: list[str], five: list[str]
) -> None:
    whole = {"tokenizer_class": "PreTrainedTokenizerFast", **settings}
    folder = written(tmp_path, **whole)
    assert (refused(folder, FOUR), refused(folder, FIVE)) == (four, five)


def test_a_prefix_that_is_stated_next_to_tokenizer_json_alone_is_refused_by_version_4(
    tmp_path: Path,
) -> None:
    folder = written(tmp_path, tokenizer_class="LlamaTokenizer", add_prefix_space=True)
    assert "add_prefix_space" in refused(folder, FOUR)
    (folder / "tokenizer.model").write_bytes(b"")
    assert "add_prefix_space" not in refused(folder, FOUR)


@pytest.mark.parametrize(
    ("named", "model", "four", "five"),
    [
        ("GPT2Tokenizer", None, "GPT2TokenizerFast", "GPT2Tokenizer"),
        ("LlamaTokenizer", None, "LlamaTokenizerFast", "TokenizersBackend"),
        ("LlamaTokenizerFast", "llama", "LlamaTokenizerFast", "TokenizersBackend"),
        ("PreTrainedTokenizer", None, "PreTrainedTokenizerFast", "TokenizersBackend"),
        ("PreTrainedTokenizerFast", "bert", "PreTrainedTokenizerFast", "TokenizersBackend"),
        ("GPT2Tokenizer", "qwen2", "GPT2TokenizerFast", "Qwen2Tokenizer"),
        (None, "bert", "BertTokenizerFast", "BertTokenizer"),
        (None, None, None, None),
    ],
)
def test_the_class_is_chosen_as_each_version_does(
    tmp_path: Path, named: str | None, model: str | None, four: str | None, five: str | None
) -> None:
    settings = {} if named is None else {"tokenizer_class": named}
    folder = written(tmp_path, None if model is None else {"model_type": model}, **settings)
    chosen = [class_choice(open_subject(folder), version) for version in (FOUR, FIVE)]
    assert [None if each is None else each.name for each in chosen] == [four, five]


def test_code_of_the_checkpoint_decides_the_class_and_nothing_is_said(tmp_path: Path) -> None:
    code = {"AutoTokenizer": ["tokenization_x.X", None]}
    folder = written(tmp_path, tokenizer_class="AcornTokenizer", auto_map=code)
    assert (refused(folder, FOUR), refused(folder, FIVE)) == ([], [])


def test_a_class_that_config_json_alone_names_is_one_that_version_5_has(tmp_path: Path) -> None:
    named = {"tokenizer_class": "AcornTokenizer"}
    registered = written(tmp_path / "a", {"model_type": "bert", **named})
    assert refused(registered, FIVE) == []
    other = written(tmp_path / "b", {"model_type": "deepseek_v3", **named})
    assert refused(other, FIVE) == ["tokenizer_class"]


def test_a_class_of_no_files_that_version_5_gives_away_is_refused(tmp_path: Path) -> None:
    folder = of_class(every_class()["ByT5Tokenizer"], tmp_path / "folder")
    (folder / "config.json").write_text(json.dumps({"model_type": "t5"}))
    assert (refused(folder, FOUR), refused(folder, FIVE)) == ([], [])
    (folder / "config.json").write_text(json.dumps({"model_type": "mistral"}))
    assert (refused(folder, FOUR), refused(folder, FIVE)) == ([], ["tokenizer_class"])


@pytest.mark.parametrize(
    ("settings", "keys"),
    [({"max_len": "a"}, ["max_len"]), ({"max_len": "a", "model_max_length": None}, [])],
)
def test_an_older_name_is_passed_over_where_the_newer_one_is_stated(
    tmp_path: Path, settings: dict[str, object], keys: list[str]
) -> None:
    folder = written(tmp_path, tokenizer_class="PreTrainedTokenizerFast", **settings)
    assert (refused(folder, FOUR), refused(folder, FIVE)) == (keys, keys)


@pytest.mark.parametrize("form", VALUES)
def test_each_drawn_value_is_of_the_form_that_it_is_drawn_for(form: str) -> None:
    assert forms_of(VALUES[form]) == {form}


def test_a_file_of_a_version_that_is_no_number_ends_the_search() -> None:
    names = ["tokenizer.4.0.0.json", "tokenizer.0-alpha.json"]
    assert tokenizer_file_name(names, FOUR) == "tokenizer.json"


def test_what_is_no_object_of_json_is_refused_elsewhere(tmp_path: Path) -> None:
    folder = written(tmp_path, tokenizer_class="TokenizersBackend")
    subject = open_subject(folder)
    (folder / "tokenizer_config.json").write_text(json.dumps([]))
    assert [each.key for each in refusals(subject, FOUR)] == ["tokenizer_class"]


SENTINELS = [f"<extra_id_{at}>" for at in range(125)]


@pytest.mark.parametrize(
    ("name", "file", "listed", "both"),
    [
        ("ByT5Tokenizer", "tokenizer_config.json", ["<a>"], (True, False)),
        ("ByT5Tokenizer", "special_tokens_map.json", ["<a>"], (True, True)),
        ("ByT5Tokenizer", "special_tokens_map.json", SENTINELS, (False, False)),
        ("ByT5Tokenizer", "special_tokens_map.json", [], (False, False)),
        ("T5Tokenizer", "special_tokens_map.json", ["<a>"], (False, False)),
        ("T5Tokenizer", "special_tokens_map.json", SENTINELS[:7], (True, False)),
    ],
)
def test_a_list_that_has_not_all_sentinels_is_refused_where_the_class_counts_them(
    tmp_path: Path, name: str, file: str, listed: list[str], both: tuple[bool, bool]
) -> None:
    folder = of_class(every_class()[name], tmp_path / "folder")
    path = folder / file
    stated = json.loads(path.read_text()) if path.is_file() else {}
    path.write_text(json.dumps({**stated, "additional_special_tokens": listed}))
    found = [bool(refused(folder, version)) for version in (FOUR, FIVE)]
    assert tuple(found) == both


@pytest.mark.parametrize(
    ("code", "keys"),
    [
        (["tokenization_x.X"], ["auto_map"]),
        ({"AutoTokenizer": ["tokenization_x.X"]}, ["auto_map"]),
        ("tokenization_x.X", ["auto_map"]),
        (["tokenization_x.X", None], []),
        ({"AutoTokenizer": ["tokenization_x.X", None]}, []),
    ],
)
def test_code_of_the_checkpoint_is_named_with_its_quick_form(
    tmp_path: Path, code: object, keys: list[str]
) -> None:
    folder = written(tmp_path, tokenizer_class="AcornTokenizer", auto_map=code)
    assert (refused(folder, FOUR), refused(folder, FIVE)) == (keys, keys)


@pytest.mark.parametrize(
    ("config", "keys"),
    [
        ({"eos_token_id": [1, 2]}, []),
        ({"eos_token_id": [1, None]}, ["eos_token_id"]),
        ({"bos_token_id": [1]}, ["bos_token_id"]),
        ({"pad_token_id": "7"}, ["pad_token_id"]),
        ({"pad_token_id": None, "tie_word_embeddings": True}, []),
        ({"tie_word_embeddings": None}, ["tie_word_embeddings"]),
        ({"rms_norm_eps": 1}, ["rms_norm_eps"]),
        ({"hidden_size": 10, "num_attention_heads": 3}, ["num_attention_heads"]),
        ({"hidden_size": 10, "num_attention_heads": 5}, []),
        ({"vocab_size": 2.0, "auto_map": {"AutoConfig": "own.Config"}}, []),
        ({"not_a_field": [None]}, []),
    ],
)
def test_version_5_holds_the_fields_of_a_config_to_their_types(
    tmp_path: Path, config: dict[str, Any], keys: list[str]
) -> None:
    """As transformers 5.24.0 does for LlamaConfig; it loads no tokenizer without the config."""
    folder = written(tmp_path, {"model_type": "llama", **config}, tokenizer_class="GPT2Tokenizer")
    assert (refused(folder, FOUR), refused(folder, FIVE)) == ([], keys)


def test_a_field_of_the_part_that_reads_text_is_held_to_the_type_of_its_part(
    tmp_path: Path,
) -> None:
    part = {"model_type": "llama", "vocab_size": None}
    folder = written(tmp_path, {"model_type": "llava", "text_config": part})
    (found,) = refusals(open_subject(folder), FIVE)
    assert (found.key, found.pointer) == ("vocab_size", "/text_config/vocab_size")


def test_a_whole_number_where_a_config_class_takes_a_float_is_refused(tmp_path: Path) -> None:
    folder = written(tmp_path, {"model_type": "qwen2_moe", "router_aux_loss_coef": 1})
    (found,) = refusals(open_subject(folder), FIVE)
    assert found.says == "TypeError: expected float, got int"
