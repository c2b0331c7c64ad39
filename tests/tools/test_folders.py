"""The builder of small folders writes what it is asked for and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tokenizers import Tokenizer

import tokaudit
from tokaudit_folders import gguf_files
from tokaudit_folders.folder import Folder

LETTERS = Folder.bpe("ab", ["a b"])


def read(path: Path) -> object:
    return json.loads(path.read_bytes())


def test_a_folder_holds_a_tokenizer_and_nothing_that_was_not_named(tmp_path: Path) -> None:
    LETTERS.write(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["tokenizer.json"]
    assert read(tmp_path / "tokenizer.json") == {
        "version": "1.0",
        "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]},
    }


@pytest.mark.parametrize(
    "folder",
    [
        LETTERS,
        Folder.wordpiece(["[UNK]", "a", "##b"], max_input_chars_per_word=9),
        Folder.wordlevel(["[UNK]", "a", "ab"]),
        Folder.unigram([("<unk>", 0.0), ("a", -1.0), ("ab", -2.0)]),
    ],
    ids=["bpe", "wordpiece", "wordlevel", "unigram"],
)
def test_a_model_of_each_type_is_one_to_the_library_and_to_us(
    folder: Folder, tmp_path: Path
) -> None:
    assert Tokenizer.from_str(folder.text()).get_vocab() == folder.vocab
    with tokaudit.open(folder.write(tmp_path)) as opened:
        assert sorted(opened.spec.pieces) == sorted(folder.vocab.values())


def test_an_added_token_gets_its_id_or_the_next_that_is_free() -> None:
    listed = LETTERS.added("b", "</s>").added("<pad>", special=False).tokenizer["added_tokens"]
    assert [(each["id"], each["content"], each["special"]) for each in listed] == [
        (1, "b", True),
        (3, "</s>", True),
        (4, "<pad>", False),
    ]


def test_a_folder_that_is_changed_leaves_the_one_that_it_was_made_of_as_it_was() -> None:
    LETTERS.added("</s>").changed(normalizer={"type": "NFC"}).config(vocab_size=4)
    assert sorted(LETTERS.tokenizer) == ["model", "version"]
    assert LETTERS.files == {}


def test_settings_are_added_to_those_that_the_file_has(tmp_path: Path) -> None:
    LETTERS.template("{{ x }}").tokenizer_config(padding_side="left").write(tmp_path / "new")
    found = read(tmp_path / "new" / "tokenizer_config.json")
    assert found == {"chat_template": "{{ x }}", "padding_side": "left"}


def test_weights_have_their_names_and_shapes(tmp_path: Path) -> None:
    folder = LETTERS.config(vocab_size=3).weights(model__embed_tokens__weight=(5, 2))
    data = (folder.write(tmp_path) / "model.safetensors").read_bytes()
    header, end = data[8:], int.from_bytes(data[:8], "little")
    (tensor,) = json.loads(header[:end]).items()
    shown = {"dtype": "F16", "shape": [5, 2], "data_offsets": [0, 20]}
    assert tensor == ("model.embed_tokens.weight", shown)
    assert header[end:] == bytes(20)


def test_a_gguf_file_is_read_as_one(tmp_path: Path) -> None:
    types = (gguf_files.I32, [gguf_files.NORMAL] * 3)
    merges = (gguf_files.TEXT, ["a b"])
    keys = gguf_files.tokenizer("gpt2", ["a", "b", "ab"], token_type=types, merges=merges)
    with tokaudit.open(Folder().gguf(keys).write(tmp_path)) as opened:
        assert opened.spec.merges == ((b"a", b"b"),)
