"""A folder without a tokenizer is refused with what it is, what is missing and what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tokaudit
from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.opening import open_subject


def refusal(folder: Path) -> str:
    with pytest.raises(UnreadableError) as raised:
        open_subject(folder)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_an_adapter_names_its_base_model(tmp_path: Path) -> None:
    settings = {"base_model_name_or_path": "meta-llama/Llama-3.1-8B", "peft_type": "LORA"}
    (tmp_path / "adapter_config.json").write_text(json.dumps(settings))
    assert refusal(tmp_path).endswith(
        "is an adapter without a tokenizer; loaders take that of meta-llama/Llama-3.1-8B. Audit "
        "that folder, or put the tokenizer's files here"
    )


@pytest.mark.parametrize("settings", ["{}", "[1]", "{", '{"base_model_name_or_path": null}'])
def test_an_adapter_that_names_none_is_an_adapter_all_the_same(
    tmp_path: Path, settings: str
) -> None:
    (tmp_path / "adapter_config.json").write_text(settings)
    assert "loaders take its base model's" in refusal(tmp_path)


def test_merges_alone_lack_a_vocabulary(tmp_path: Path) -> None:
    (tmp_path / "merges.txt").write_text("#version: 0.2\na b\n")
    assert refusal(tmp_path).endswith(
        "has merges in merges.txt, and no vocabulary, so no token has an id. Put the vocab.json "
        "of the same tokenizer here"
    )


def test_codes_of_subword_nmt_have_no_ids(tmp_path: Path) -> None:
    (tmp_path / "codes.en").write_text("#version: 0.2\nt h\nth e</w>\n")
    (tmp_path / "vocab.en").write_text("the 10\nt@@ 4\n")
    assert "has merges of subword-nmt in codes.en, and no ids" in refusal(tmp_path)


def test_a_tokenizer_of_music_is_named_as_one(tmp_path: Path) -> None:
    said = {"config": {}, "tokenization": "REMI", "miditok_version": "3.0.4"}
    (tmp_path / "tokenizer.json").write_text(json.dumps(said))
    with pytest.raises(UnreadableError, match="is MidiTok's tokenizer of music"):
        tokaudit.manifest(tmp_path)


def test_what_is_not_known_is_listed_with_what_is_read(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    assert "holds no tokenizer that can be read (notes.txt: unread); read are: " in refusal(
        tmp_path
    )
