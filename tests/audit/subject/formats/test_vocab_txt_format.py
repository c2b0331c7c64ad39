"""BERT's list of tokens, and what the settings next to it imply."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from class_folders import model
from format_files import config, read, spec_of

import tokaudit
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_reference.spec import Standing, TokenType
from tokaudit_reference.tokenizer import ReferenceTokenizer

TINY_BERT = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "hi", "##s", "É", "é"]


def bert(tokens: list[str] = TINY_BERT, **named: Any) -> dict[str, str | bytes]:
    lines = "".join(f"{token}\n" for token in tokens)
    return {"vocab.txt": lines, "tokenizer_config.json": config(**named)}


def test_berts_vocab_txt_is_its_tokenizer_json(material: Path, tmp_path: Path) -> None:
    folder = material / "tokenizers" / "bert-base-uncased"
    for name in ("vocab.txt", "tokenizer_config.json", "special_tokens_map.json"):
        shutil.copy(folder / name, tmp_path)
    spec = spec_of(tmp_path, {})
    whole = parse_all(open_subject(str(folder))).parsed[0][1]
    assert whole.format == "tokenizer.json"
    assert (spec.pieces, spec.added_tokens) == (whole.pieces, whole.added_tokens)
    for stage in ("normalizer", "pre_tokenizer", "decoder"):
        assert getattr(spec, stage).options == getattr(whole, stage).options


@pytest.mark.parametrize(
    ("named", "option", "value", "text", "ids"),
    [
        ({}, "lowercase", True, "HIs \u00c9", [5, 6, 1]),
        ({"do_lower_case": False}, "lowercase", False, "HIs \u00c9", [1, 7]),
        ({"strip_accents": False}, "strip_accents", False, "HIs \u00c9", [5, 6, 8]),
        ({"strip_accents": None}, "strip_accents", None, "HIs \u00c9", [5, 6, 1]),
        ({}, "handle_chinese_chars", True, "hi\u65e5hi", [5, 1, 5]),
        ({"tokenize_chinese_chars": False}, "handle_chinese_chars", False, "hi\u65e5hi", [1]),
    ],
)
def test_a_setting_of_bert_reaches_its_normalizer(
    tmp_path: Path, named: dict[str, Any], option: str, value: object, text: str, ids: list[int]
) -> None:
    spec = spec_of(tmp_path, bert(**named))
    assert spec.normalizer.options is not None and spec.normalizer.options[option] is value
    assert ReferenceTokenizer(spec).encode(text).ids == ids


def test_without_basic_tokenizing_text_is_cut_at_white_space_alone(tmp_path: Path) -> None:
    tokenizer = ReferenceTokenizer(spec_of(tmp_path, bert(do_basic_tokenize=False)))
    assert tokenizer.encode("hi HI his hi!").ids == [5, 1, 5, 6, 1]


def test_the_setting_of_the_tokenizers_own_file_goes_first(tmp_path: Path) -> None:
    files = {**bert(do_lower_case=False), "config.json": config(do_lower_case=True)}
    options = spec_of(tmp_path, files).normalizer.options
    assert options is not None and options["lowercase"] is False


def test_the_library_runs_the_settings_that_are_stated(
    material: Path, tmp_path: Path, processes: None
) -> None:
    bert = material / "tokenizers" / "bert-base-uncased" / "vocab.txt"
    stated = config(do_lower_case=False, tokenize_chinese_chars=False, strip_accents=False)
    spec_of(tmp_path, {"vocab.txt": bert.read_bytes(), "tokenizer_config.json": stated})
    [result] = tokaudit.audit(tmp_path, tier="quick", select=["agreement/reference"]).results
    assert (result.findings, result.measurements[0].value) == ((), 0)


def test_another_unknown_token_is_taken_where_it_is_named(tmp_path: Path) -> None:
    tokens = [*TINY_BERT, "<unk>"]
    spec = spec_of(tmp_path, bert(tokens, unk_token="<unk>"))
    assert (spec.unk_id, spec.pieces[9].token_type) == (9, TokenType.UNKNOWN)


def test_a_class_that_cuts_in_its_own_way_leaves_it_unstated(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, bert(tokenizer_class="BertJapaneseTokenizer"))
    assert spec.pre_tokenizer.standing is Standing.UNSTATED
    assert spec.normalizer.standing is Standing.UNSTATED


@pytest.mark.parametrize(
    ("content", "pieces", "repeated"),
    [
        ("[UNK]\r\na\r\n", {0: "[UNK]", 1: "a"}, ()),
        ("[UNK]\na\n\n\n", {0: "[UNK]", 1: "a"}, ()),
        ("[UNK]\n\na", {0: "[UNK]", 1: "", 2: "a"}, ()),
        ("[UNK]\na\nb\na\n", {0: "[UNK]", 2: "b", 3: "a"}, ("a",)),
    ],
)
def test_the_line_is_the_id(
    tmp_path: Path, content: str, pieces: dict[int, str], repeated: tuple[str, ...]
) -> None:
    spec = spec_of(tmp_path, {"vocab.txt": content})
    assert {id: piece.value for id, piece in spec.pieces.items()} == pieces
    assert spec.duplicate_keys == repeated


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\xef\xbb\xbf[PAD]\n[UNK]\n", "vocab.txt at line 1: begins with a byte order mark"),
        (b"a\nb\n", "vocab.txt: holds no [UNK], so it is no WordPiece vocabulary. Add its line"),
        (b"<cls>\n<unk>\nL\n", 'it has \'<unk>\'. Write "unk_token": "<unk>"'),
        (b"[UNK]\n\xff\n", "vocab.txt: is not UTF-8 at byte 6"),
    ],
)
def test_what_is_no_vocabulary_of_bert_is_said(tmp_path: Path, content: bytes, says: str) -> None:
    spec, error = read(tmp_path, {"vocab.txt": content})
    assert spec is None and says in error


@pytest.mark.parametrize(
    ("named", "unknown"),
    [({}, 1), ({"added_tokens_decoder": {}}, 7)],
    ids=["by the map", "next to a table"],
)
def test_a_role_is_that_of_the_map_where_no_table_lists_the_added_tokens(
    tmp_path: Path, named: dict[str, Any], unknown: int
) -> None:
    files = bert(**named, unk_token="\u00c9")
    files["special_tokens_map.json"] = json.dumps({"unk_token": "[UNK]"})
    assert spec_of(tmp_path, files).unk_id == unknown


NEMO = "<unk>\t0\n▁a\t-1\nb\t-2.5\n"


@pytest.mark.parametrize("listing", ["a\n##b\n", NEMO, NEMO.replace("\n", "\r\n")])
def test_a_list_of_the_pieces_of_a_model_is_no_tokenizer_of_its_own(
    tmp_path: Path, listing: str
) -> None:
    for name, content in (("tokenizer.model", model("unigram")), ("vocab.txt", listing.encode())):
        (tmp_path / name).write_bytes(content)
    found = parse_all(open_subject(str(tmp_path)))
    assert [spec.files for _, spec in found.parsed] == [("tokenizer.model",)]
    found_in_files = tokaudit.audit(tmp_path, select=["files/parse"]).findings
    assert [str(finding.severity) for finding in found_in_files] == ["info"]


def test_a_list_next_to_a_pair_is_no_tokenizer_of_its_own(tmp_path: Path) -> None:
    pair = {"vocab.json": '{"a": 0, "b": 1, "ab": 2}', "merges.txt": "a b\n"}
    for name, content in {**pair, "vocab.txt": "<unk>\na\n##b\n"}.items():
        (tmp_path / name).write_text(content)
    found = parse_all(open_subject(str(tmp_path)))
    assert [spec.files for _, spec in found.parsed] == [("vocab.json", "merges.txt")]
    found_in_files = tokaudit.audit(tmp_path, select=["files/parse"]).findings
    assert [str(finding.severity) for finding in found_in_files] == ["info"]


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"vocab.txt": NEMO}, "lists pieces with their scores: the .model that belongs to it"),
        ({"vocab.txt": "a\nb\n", "merges.txt": "a b\n"}, "Write it as vocab.json"),
    ],
)
def test_a_list_of_another_model_alone_is_called_what_it_is(
    tmp_path: Path, files: dict[str, str | bytes], says: str
) -> None:
    spec, error = read(tmp_path, files)
    assert spec is None and says in error
