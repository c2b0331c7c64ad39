"""Vocabularies of characters, and classes that read no vocabulary: every byte is a token."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from class_folders import of_class
from real_tokenizers import put

import tokaudit
from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.opening import open_repository, open_subject
from tokaudit.subject.representations import parse_all
from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit_reference.spec import Standing, TokenizerSpec
from tokaudit_reference.tokenizer import ReferenceTokenizer

SPEECH = {"tokenizer_class": "Wav2Vec2CTCTokenizer"}
LETTERS = {"<pad>": 0, "<s>": 1, "</s>": 2, "<unk>": 3, "|": 4, "a": 5, "b": 6, "ng": 7}


def spec_of(folder: Path) -> TokenizerSpec:
    return parse_all(open_subject(folder)).parsed[0][1]


def letters(folder: Path, vocab: object = LETTERS, **settings: object) -> Path:
    put(folder / "vocab.json", json.dumps(vocab).encode())
    put(folder / "tokenizer_config.json", json.dumps({**SPEECH, **settings}).encode())
    return folder


def test_characters_are_looked_up_one_by_one(tmp_path: Path) -> None:
    tokenizer = ReferenceTokenizer(spec_of(letters(tmp_path)))
    assert tokenizer.encode("ab ??").ids == [5, 6, 4, 3, 3]


def test_an_entry_of_several_characters_is_taken_whole(tmp_path: Path) -> None:
    tokenizer = ReferenceTokenizer(spec_of(letters(tmp_path)))
    assert tokenizer.encode("ang b").ids == [5, 7, 6]


def test_of_a_vocabulary_for_each_language_the_one_that_is_set_is_read(tmp_path: Path) -> None:
    nested = {"deu": LETTERS, "eng": {"<unk>": 0}}
    assert spec_of(letters(tmp_path, nested, target_lang="deu")).size() == 8


def test_a_class_that_reads_aloud_leaves_its_pipeline_unstated(tmp_path: Path) -> None:
    spec = spec_of(letters(tmp_path, tokenizer_class="VitsTokenizer"))
    assert spec.pre_tokenizer.standing is Standing.UNSTATED


@pytest.mark.parametrize(
    ("name", "found"), [("VitsTokenizer", []), ("Wav2Vec2CTCTokenizer", ["error"])]
)
def test_a_class_that_drops_what_it_lacks_needs_no_unknown_token(
    tmp_path: Path, name: str, found: list[str]
) -> None:
    vocab = {letter: id for id, letter in enumerate("|abn ")}
    table = {"5": {"content": "<unk>", "special": True}}
    named = {"unk_token": "<unk>", "pad_token": "|", "added_tokens_decoder": table}
    folder = letters(tmp_path, vocab, tokenizer_class=name, **named)
    report = tokaudit.audit(folder, select=["vocab/unknown-token"])
    assert [str(each.severity) for each in report.findings if each.cause == "none"] == found


def test_letters_that_are_made_capital_leave_the_pipeline_unstated(tmp_path: Path) -> None:
    spec = spec_of(letters(tmp_path, do_lower_case=True))
    assert spec.pre_tokenizer.standing is Standing.UNSTATED


def test_a_vocabulary_without_merges_is_one_of_characters_by_the_users_word(tmp_path: Path) -> None:
    put(tmp_path / "phones.json", json.dumps(LETTERS).encode())
    with pytest.raises(UnreadableError):
        tokaudit.open(tmp_path)
    with tokaudit.open(tmp_path, files={"characters": "phones.json"}) as opened:
        assert opened.spec.format == "characters" and opened.spec.size() == 8


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ByT5Tokenizer", [100, 198, 172]),
        ("PerceiverTokenizer", [103, 201, 175]),
        ("DiaTokenizer", [97, 195, 169]),
    ],
)
def test_a_class_without_files_gives_every_byte_its_id(
    tmp_path: Path, name: str, expected: list[int]
) -> None:
    spec = spec_of(of_class(every_class()[name], tmp_path / "model"))
    tokenizer = ReferenceTokenizer(spec)
    assert tokenizer.encode("aé").ids == expected
    assert tokenizer.decode(expected) == "aé"


def test_a_class_of_bytes_puts_tokens_after_them(tmp_path: Path) -> None:
    spec = spec_of(of_class(every_class()["ByT5Tokenizer"], tmp_path / "model"))
    assert {token.content: token.id for token in spec.added_tokens}["<extra_id_0>"] == 259
    assert spec.size() == 384


def test_a_class_of_bytes_is_a_part_of_a_pipeline(tmp_path: Path) -> None:
    of_class(every_class()["ByT5Tokenizer"], tmp_path / "tokenizer")
    letters(tmp_path / "tokenizer_2")
    parts = [each.part for each in open_repository(tmp_path).subjects]
    assert parts == ["tokenizer", "tokenizer_2"]


def test_maps_that_the_class_could_not_load_are_refused(tmp_path: Path) -> None:
    put(tmp_path / "byte_maps.json", b'{"decompose_map": {}}')
    (found,) = parse_all(open_subject(tmp_path)).all
    assert found.error == "byte_maps.json at /merge_map: has no object merge_map"


def test_a_vocabulary_of_a_class_with_merges_still_misses_them(tmp_path: Path) -> None:
    letters(tmp_path, tokenizer_class="GPT2Tokenizer")
    (found,) = parse_all(open_subject(tmp_path)).all
    assert "has no merges.txt next to it" in found.error
