"""Rules by which both versions take settings, each with the answer that the version itself gave."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from class_folders import of_class

import tokaudit
from tokaudit.report.recorded import LoaderValue, values_by_key
from tokaudit.subject.effective.loaders import CURRENT
from tokaudit.subject.effective.refused import refusals
from tokaudit.subject.effective.tokens_added import tokens_added
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit.subject.upstream.versions import FIVE, FOUR, VERSIONS
from tokaudit_folders.folder import Folder

GENERAL, LENGTH = "PreTrainedTokenizerFast", "model_max_length"
BLOCK: dict[str, Any] = {
    "strategy": "BatchLongest",
    "direction": "Right",
    "pad_to_multiple_of": None,
    "pad_id": 2,
    "pad_type_id": 0,
    "pad_token": "<s>",
}
SPECIAL = {"__type": "AddedToken", "content": "<s>", "special": True}


def whole(named: str | None = GENERAL, **settings: object) -> Folder:
    folder = Folder.bpe("ab", ["a b"]).added("<s>", "</s>", "<pad>")
    stated = {} if named is None else {"tokenizer_class": named}
    return folder.tokenizer_config(**stated, **settings)


def both(folder: Path, key: str) -> list[object]:
    """The value that version 4 and version 5 take for a key."""
    with tokaudit.open(folder) as opened:
        row: dict[str, LoaderValue] = values_by_key(opened.loaded).get(key, {})
    cells = [row.get(f"{version} (emulated)") for version in VERSIONS]
    return [None if cell is None else cell.value for cell in cells]


def refused(folder: Path) -> list[list[str]]:
    subject = open_subject(folder)
    return [[each.key for each in refusals(subject, version)] for version in (FOUR, FIVE)]


def added(folder: Path) -> list[list[str]]:
    subject = open_subject(folder)
    [(_, spec)] = parse_all(subject).parsed
    return [sorted(tokens_added(subject, spec, loader)) for loader in CURRENT]


@pytest.mark.parametrize(
    ("settings", "length"),
    [
        ({"max_len": 128}, 128),
        ({"max_len": 128, LENGTH: 512}, 512),
        ({LENGTH: None}, int(1e30)),
        ({LENGTH: None, "max_len": 128}, int(1e30)),
    ],
)
def test_an_older_name_of_the_length_counts_and_a_null_is_no_limit(
    tmp_path: Path, settings: dict[str, object], length: int
) -> None:
    assert both(whole(**settings).write(tmp_path), LENGTH) == [length, length]


def test_a_fast_class_has_the_clean_up_of_the_slow_one_that_it_is_made_from_alone(
    tmp_path: Path,
) -> None:
    key = "clean_up_tokenization_spaces"
    assert both(of_class(every_class()["BertTokenizer"], tmp_path / "bare"), key) == [True, False]
    folder = Folder.wordpiece(["[UNK]", "a"]).tokenizer_config(tokenizer_class="BertTokenizer")
    assert both(folder.write(tmp_path / "json"), key) == [False, False]


@pytest.mark.parametrize(
    ("named", "taken"),
    [
        (GENERAL, ["<s>", "<s>"]),
        ("RobertaTokenizer", ["<pad>", "<pad>"]),
        ("GPT2Tokenizer", ["<s>", None]),
    ],
)
def test_a_block_names_the_pad_token_where_the_class_takes_none(
    tmp_path: Path, named: str, taken: list[str | None]
) -> None:
    assert both(whole(named).changed(padding=BLOCK).write(tmp_path), "pad_token") == taken


def test_a_class_takes_what_the_class_takes_that_it_is_made_from(tmp_path: Path) -> None:
    folder = of_class(every_class()["DistilBertTokenizer"], tmp_path / "bare")
    assert both(folder, "mask_token") == ["[MASK]", "[MASK]"]


def test_generation_ends_with_the_id_of_the_kind_of_model_unless_its_file_is_here(
    tmp_path: Path,
) -> None:
    folder = whole().config(model_type="llama").write(tmp_path)
    assert both(folder, "eos_token_id") == [2, 2]
    (folder / "generation_config.json").write_text("{}", "utf-8")
    assert both(folder, "eos_token_id") == [None, None]


def test_version_5_of_xlm_roberta_puts_bos_and_eos_around_a_text(tmp_path: Path) -> None:
    pieces = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("a", -1.0)]
    stated = {"tokenizer_class": "XLMRobertaTokenizer", "eos_token": "<pad>", "sep_token": "a"}
    folder = Folder.unigram(pieces).tokenizer_config(**stated).write(tmp_path)
    assert both(folder, "after a text") == [None, "<pad>"]


def test_a_file_of_the_default_template_counts_once(tmp_path: Path) -> None:
    folder = whole().write(tmp_path)
    (folder / "chat_template.jinja").write_text("a", "utf-8")
    (folder / "additional_chat_templates").mkdir()
    (folder / "additional_chat_templates" / "default.jinja").write_text("b", "utf-8")
    assert both(folder, "chat_template") == ["default", "default"]


@pytest.mark.parametrize(
    ("stated", "four", "five"),
    [
        ({"extra_special_tokens": ["<s>"]}, ["extra_special_tokens"], []),
        ({"extra_special_tokens": [SPECIAL]}, *[["extra_special_tokens"]] * 2),
        ({"eos_token": 3}, ["eos_token"], ["eos_token"]),
        ({"eos_token": {"content": "<s>"}}, [], []),
    ],
)
def test_the_map_of_roles_is_refused_like_the_settings(
    tmp_path: Path, stated: dict[str, object], four: list[str], five: list[str]
) -> None:
    folder = whole().settings("special_tokens_map.json", **stated).write(tmp_path)
    assert refused(folder) == [four, five]


def test_a_value_that_the_map_replaces_is_not_refused(tmp_path: Path) -> None:
    folder = whole(eos_token=3).settings("special_tokens_map.json", eos_token="</s>")
    assert refused(folder.write(tmp_path)) == [[], []]


def test_a_list_of_files_that_names_one_which_is_not_here_is_refused(tmp_path: Path) -> None:
    folder = whole(fast_tokenizer_files=["tokenizer.4.0.0.json"]).write(tmp_path)
    assert refused(folder) == [["fast_tokenizer_files"]] * 2


def test_version_4_of_bert_refuses_a_file_without_a_normalizer(tmp_path: Path) -> None:
    folder = Folder.wordpiece(["[UNK]", "a"]).tokenizer_config(tokenizer_class="BertTokenizer")
    assert refused(folder.changed(normalizer=None).write(tmp_path / "null")) == [
        ["tokenizer_class"],
        [],
    ]
    lower = {"type": "BertNormalizer", "lowercase": True, "clean_text": True}
    lower |= {"handle_chinese_chars": True, "strip_accents": None}
    assert refused(folder.changed(normalizer=lower).write(tmp_path / "own")) == [[], []]


def test_a_class_that_finds_no_file_of_its_own_is_refused_where_it_does_not_begin_empty(
    tmp_path: Path,
) -> None:
    bare = of_class(every_class()["GPT2Tokenizer"], tmp_path / "bare")
    settings = bare / "tokenizer_config.json"
    settings.write_text(f'{{"tokenizer_class": "{GENERAL}"}}', "utf-8")
    assert refused(bare) == [["tokenizer_class"], ["tokenizer_class"]]
    settings.write_text('{"tokenizer_class": "BertTokenizer"}', "utf-8")
    assert refused(bare) == [["tokenizer_class"], []]


@pytest.mark.parametrize(("kind", "four"), [("llama", []), ("qwen3_5", ["tokenizer_class"])])
def test_a_kind_of_model_that_version_4_has_no_tokenizer_for_is_refused_by_it(
    tmp_path: Path, kind: str, four: list[str]
) -> None:
    folder = whole(None).config(model_type=kind).write(tmp_path)
    assert refused(folder) == [four, []]


@pytest.mark.parametrize(
    ("settings", "four", "five"),
    [
        ({"image_token": "<x>"}, [], ["<x>"]),
        ({"added_tokens_decoder": {"9": {"content": "<x>"}}}, ["<x>"], ["<x>"]),
        ({"extra_special_tokens": {"image_token": "<x>"}}, ["<x>"], ["<x>"]),
    ],
)
def test_a_version_adds_the_tokens_of_tables_and_of_names(
    tmp_path: Path, settings: dict[str, object], four: list[str], five: list[str]
) -> None:
    assert added(whole(**settings).write(tmp_path)) == [four, five]


def test_a_list_of_added_tokens_counts_where_no_table_is_stated(tmp_path: Path) -> None:
    folder = whole().settings("added_tokens.json", **{"<x>": 9})
    assert added(folder.write(tmp_path / "list")) == [["<x>"], ["<x>"]]
    table = whole(added_tokens_decoder={}).settings("added_tokens.json", **{"<x>": 9})
    assert added(table.write(tmp_path / "table")) == [[], []]
